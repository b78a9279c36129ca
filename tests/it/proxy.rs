//! The example of a proxy, over the loopback address: a live stream passes without its reasoning, as it comes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The example, which `cargo test` builds beside the tests, and `cargo test --test it` does not.
fn example() -> Option<PathBuf> {
    let path = std::env::current_exe().unwrap().parent()?.parent()?.join("examples/proxy");
    let path = path.with_extension(std::env::consts::EXE_EXTENSION);
    if !path.exists() {
        assert!(std::env::var_os("UNTHINK_REQUIRE_SHARED").is_none(), "{} is not there", path.display());
        eprintln!("not run: {} is not there; `cargo build --example proxy` builds it", path.display());
        return None;
    }
    Some(path)
}

/// Starts the proxy in front of this address, and returns its own.
fn proxy(example: &Path, upstream: &str) -> (Running, String) {
    let mut command = Command::new(example);
    let mut child = command.args(["127.0.0.1:0", upstream]).stdout(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    (Running(child), address.trim().to_string())
}

/// A server that answers one request: each piece is sent when the test asks for it. A piece may end anywhere.
fn upstream(kind: &'static str, pieces: Vec<&'static [u8]>, go: Receiver<()>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_nodelay(true).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        for piece in pieces {
            if go.recv().is_err() {
                return;
            }
            stream.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).unwrap();
            stream.write_all(piece).unwrap();
            stream.write_all(b"\r\n").unwrap();
        }
        if go.recv().is_ok() {
            stream.write_all(b"0\r\n\r\n").unwrap();
        }
    });
    address
}

/// A request to the proxy, and what comes back of it.
struct Client(TcpStream, Vec<u8>);

impl Client {
    fn get(address: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(b"GET /v1/chat HTTP/1.1\r\nhost: proxy\r\nconnection: close\r\n\r\n").unwrap();
        Self(stream, Vec::new())
    }

    /// Waits until these words have come.
    fn until(&mut self, words: &str) {
        let mut bytes = [0; 1024];
        while !self.text().contains(words) {
            let n = self.0.read(&mut bytes).unwrap();
            assert!(n > 0, "{words} is missing: {}", self.text());
            self.1.extend_from_slice(&bytes[..n]);
        }
    }

    fn rest(&mut self) -> String {
        let _ = self.0.read_to_end(&mut self.1);
        self.text()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.1).into_owned()
    }
}

#[test]
fn a_live_stream_passes_without_its_reasoning() {
    let Some(example) = example() else { return };
    let pieces: Vec<&[u8]> = vec![
        b"data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"S3C",
        b"RET\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Rain\"}}]}\n\nda",
        b"ta: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" by noon.\"}}]}\n\n",
        b"data: [DONE]\n\n",
    ];
    let (go, waits) = channel();
    let (_running, address) = proxy(&example, &upstream("text/event-stream", pieces, waits));
    let mut client = Client::get(&address);
    go.send(()).unwrap();
    go.send(()).unwrap();
    // The answer has come before the rest was sent.
    client.until("\"Rain\"");
    go.send(()).unwrap();
    client.until(" by noon.");
    go.send(()).unwrap();
    go.send(()).unwrap();
    let text = client.rest();
    assert!(text.contains("data: [DONE]") && text.starts_with("HTTP/1.1 200"), "{text}");
    assert!(!text.contains("S3C") && !text.contains("RET") && !text.contains("reasoning"), "{text}");
}

#[test]
fn what_does_not_come_whole_is_not_passed_on() {
    let Some(example) = example() else { return };
    let pieces: Vec<&[u8]> =
        vec![b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Rain\"}}]}\n\ndata: {\"S3CRET"];
    let (go, waits) = channel();
    let (_running, address) = proxy(&example, &upstream("text/event-stream", pieces, waits));
    let mut client = Client::get(&address);
    go.send(()).unwrap();
    client.until("\"Rain\"");
    drop(go);
    let text = client.rest();
    assert!(!text.contains("S3CRET") && !text.ends_with("0\r\n\r\n"), "{text}");
}

#[test]
fn other_bodies_stay_as_they_are() {
    let Some(example) = example() else { return };
    let (go, waits) = channel();
    let (_running, address) = proxy(&example, &upstream("image/png", vec![b"\x89PNG <think>PUBL1C</think>"], waits));
    let mut client = Client::get(&address);
    go.send(()).unwrap();
    go.send(()).unwrap();
    assert!(client.rest().contains("<think>PUBL1C</think>"));
}
