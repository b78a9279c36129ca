//! A proxy that takes the reasoning out of responses while they stream: `cargo run --example proxy LISTEN UPSTREAM`, for
//! example `127.0.0.1:8080 127.0.0.1:11434`. It speaks plain HTTP/1.1, on one thread for all connections.
//!
//! What matters stands in [`Stripped`]: a body whose frames go through an [`unthink::Stripper`]. What is left of an event is
//! passed on as soon as the event has come whole.

use http_body_util::Either;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{ACCEPT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Request, Response, client, server, service::service_fn};
use hyper_util::rt::TokioIo;
use std::error::Error;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::net::{TcpListener, TcpStream};
use unthink::{StripOptions, Stripper};

type Failed = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let [listen, upstream] = std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "LISTEN UPSTREAM")?;
    tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(serve(listen, upstream))
}

async fn serve(listen: String, upstream: String) -> Result<(), Failed> {
    let listener = TcpListener::bind(listen).await?;
    println!("{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let upstream = upstream.clone();
        // Tasks on one thread take turns: a `Stripper` waits in its task until the next piece comes.
        tokio::spawn(async move {
            let answer = service_fn(|request| pass_on(request, &upstream));
            if let Err(e) = server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await {
                eprintln!("{e}");
            }
        });
    }
}

/// Passes a request on, and its response without the reasoning.
async fn pass_on(
    mut request: Request<Incoming>,
    upstream: &str,
) -> Result<Response<Either<Stripped, Incoming>>, Failed> {
    let stream = TcpStream::connect(upstream).await?;
    let (mut send, connection) = client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    request.headers_mut().insert(HOST, HeaderValue::from_str(upstream)?);
    // A compressed body cannot be searched.
    request.headers_mut().remove(ACCEPT_ENCODING);
    let response = send.send_request(request).await?;
    if !is_searched(response.headers()) {
        return Ok(response.map(Either::Right));
    }
    let stripper = Stripper::new(&StripOptions::default())?;
    let mut response = response.map(|body| Either::Left(Stripped { body, stripper: Some(stripper) }));
    // It becomes shorter, and its length is known at its end only.
    response.headers_mut().remove(CONTENT_LENGTH);
    Ok(response)
}

/// Whether a body is text that may hold reasoning.
fn is_searched(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    ["application/json", "application/x-ndjson", "text/event-stream"].iter().any(|known| kind.starts_with(known))
}

/// A body without its reasoning.
struct Stripped {
    body: Incoming,
    /// `None`: the body is over.
    stripper: Option<Stripper>,
}

impl Body for Stripped {
    type Data = Bytes;
    type Error = Failed;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Failed>>> {
        let this = self.get_mut();
        while let Some(stripper) = &mut this.stripper {
            let decided = match ready!(Pin::new(&mut this.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.data_ref() {
                    Some(piece) => Bytes::copy_from_slice(stripper.push(piece)),
                    // Trailers.
                    None => return Poll::Ready(Some(Ok(frame))),
                },
                // What has not come whole may be reasoning, and is left out.
                Some(Err(e)) => {
                    this.stripper = None;
                    return Poll::Ready(Some(Err(e.into())));
                }
                None => match this.stripper.take().map(Stripper::finish).transpose() {
                    Ok(done) => done.map(|done| done.output.into()).unwrap_or_default(),
                    // A record that is not understood is not passed on; the error never quotes it.
                    Err(e) => return Poll::Ready(Some(Err(e.to_string().into()))),
                },
            };
            if !decided.is_empty() {
                return Poll::Ready(Some(Ok(Frame::data(decided))));
            }
        }
        Poll::Ready(None)
    }
}
