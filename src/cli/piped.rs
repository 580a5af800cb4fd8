//! Input from a pipe: the part that arrives at once, and the rest as it arrives.

use std::io::{self, BufRead, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// A reader of the pieces that a background thread reads from a pipe.
pub struct Piped {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
}

impl Piped {
    /// Starts the background thread; fails if no thread can be started.
    pub fn new(mut reader: impl BufRead + Send + 'static) -> io::Result<Piped> {
        let (sender, pieces) = sync_channel(1);
        let read = move || {
            loop {
                let piece = reader.fill_buf().map(<[u8]>::to_vec);
                let length = piece.as_ref().map_or(0, Vec::len);
                reader.consume(length);
                let is_interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
                let goes_on = length > 0 || piece.as_ref().is_err_and(is_interrupted);
                // Sending fails once the command has dropped the receiver.
                if sender.send(piece).is_err() || !goes_on {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("pipe".to_string()).spawn(read)?;
        Ok(Piped { pieces, piece: Cursor::default() })
    }

    /// Appends input to `bytes` for the time `wait`, up to `most` bytes. Returns whether it has
    /// ended.
    pub fn gather(&self, bytes: &mut Vec<u8>, most: usize, wait: Duration) -> io::Result<bool> {
        let until = Instant::now() + wait;
        while bytes.len() < most {
            match self.pieces.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Ok(piece)) if piece.is_empty() => return Ok(true),
                Ok(Ok(piece)) => bytes.extend(piece),
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
            }
        }
        Ok(false)
    }
}

impl BufRead for Piped {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        // Receiving fails after the last piece, which is the end of the input.
        if self.piece.fill_buf()?.is_empty()
            && let Ok(piece) = self.pieces.recv()
        {
            self.piece = Cursor::new(piece?);
        }
        self.piece.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.piece.consume(amount);
    }
}

impl Read for Piped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
