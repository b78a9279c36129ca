//! Gzip files with several members (RFC 1952, section 2.2), and zeros behind the last one, as on tapes.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// Reads all members of a gzip file as one stream.
pub struct GzipMembers<R: Read> {
    state: GzipState<R>,
}

enum GzipState<R: Read> {
    /// Before a member. True: it is not the first.
    Between(BufReader<R>, bool),
    Inside(GzDecoder<BufReader<R>>),
    Over,
}

impl<R: Read> GzipMembers<R> {
    pub fn new(file: R) -> Self {
        Self { state: GzipState::Between(BufReader::with_capacity(64 * 1024, file), false) }
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            self.state = match std::mem::replace(&mut self.state, GzipState::Over) {
                GzipState::Over => return Ok(0),
                GzipState::Between(mut file, more) => {
                    if more && is_over(&mut file)? {
                        return Ok(0);
                    }
                    GzipState::Inside(GzDecoder::new(file))
                }
                GzipState::Inside(mut member) => {
                    let n = member.read(buf)?;
                    if n > 0 || buf.is_empty() {
                        self.state = GzipState::Inside(member);
                        return Ok(n);
                    }
                    GzipState::Between(member.into_inner(), true)
                }
            };
        }
    }
}

/// Whether only zeros are left. Anything else that is not a member is an error.
fn is_over(file: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let left = file.fill_buf()?;
        match left {
            [] => return Ok(true),
            [0x1F, ..] => return Ok(false),
            _ if left.iter().any(|b| *b != 0) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "garbage behind the last gzip member"));
            }
            zeros => {
                let n = zeros.len();
                file.consume(n);
            }
        }
    }
}
