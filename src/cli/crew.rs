//! A crew of threads that work on files. Each thread takes the next file; what it makes of the file is handed to the main
//! thread piece by piece, and that thread gets the pieces of all files in the order of the files.
//!
//! What waits is limited: a thread is only a few files ahead, and of what it made only so many bytes wait. What is made
//! of the file whose turn it is never waits for the others, so that the work always goes on.

use std::collections::VecDeque;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, scope};
use std::time::Duration;

/// How many bytes may wait, of all files together. One piece of the first file may come on top.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// How many files may be begun or wait, for each thread.
const AHEAD: usize = 4;

/// How long the main thread waits before it looks at the clock.
const TICK: Duration = Duration::from_millis(100);

/// What is made of one file, as far as the main thread has not taken it.
struct FileLane<P> {
    pieces: VecDeque<(P, usize)>,
    is_over: bool,
    /// Nobody wants more of it but its last piece.
    is_unwanted: bool,
}

/// What the main thread still wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrewWants {
    All,
    /// Of this file only the last piece; of the others, all.
    Last,
    Nothing,
}

struct CrewState<P> {
    /// The files that were begun and are not done with.
    lanes: VecDeque<FileLane<P>>,
    /// The number of the first of them.
    first: usize,
    /// How many bytes wait.
    held: usize,
    /// Nobody wants the rest.
    stopped: bool,
}

struct Crew<P> {
    state: Mutex<CrewState<P>>,
    changed: Condvar,
    files: usize,
    ahead: usize,
}

/// Hands over what a thread makes of its file.
pub struct Hand<'c, P> {
    crew: &'c Crew<P>,
    file: usize,
}

impl<P> Hand<'_, P> {
    /// Hands over a piece that holds so many bytes, once there is room for it. False: nobody wants it any more.
    pub fn give(&self, piece: P, bytes: usize) -> bool {
        self.hand_over(piece, bytes, false)
    }

    /// Hands over the last piece of the file.
    pub fn end(&self, piece: P) {
        self.hand_over(piece, 0, true);
    }

    fn hand_over(&self, piece: P, bytes: usize, is_last: bool) -> bool {
        let mut state = self.crew.lock();
        loop {
            let at = self.file - state.first;
            let lane = &state.lanes[at];
            if state.stopped || (lane.is_unwanted && !is_last) {
                return false;
            }
            let is_next = at == 0 && lane.pieces.is_empty();
            if is_next || state.held + bytes <= MAX_WAITING_BYTES {
                state.held += bytes;
                state.lanes[at].pieces.push_back((piece, bytes));
                self.crew.changed.notify_all();
                return true;
            }
            state = self.crew.wait(state);
        }
    }
}

impl<P> Drop for Hand<'_, P> {
    fn drop(&mut self) {
        let mut state = self.crew.lock();
        let at = self.file - state.first;
        state.lanes[at].is_over = true;
        self.crew.changed.notify_all();
    }
}

/// Ends the crew, however the main thread ends.
struct CrewStop<'c, P>(&'c Crew<P>);

impl<P> Drop for CrewStop<'_, P> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.changed.notify_all();
    }
}

impl<P> Crew<P> {
    fn lock(&self) -> MutexGuard<'_, CrewState<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, CrewState<P>>) -> MutexGuard<'a, CrewState<P>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next file to work on.
    fn next(&self) -> Option<Hand<'_, P>> {
        let mut state = self.lock();
        loop {
            let file = state.first + state.lanes.len();
            if state.stopped || file == self.files {
                return None;
            }
            if state.lanes.len() < self.ahead {
                state.lanes.push_back(FileLane { pieces: VecDeque::new(), is_over: false, is_unwanted: false });
                return Some(Hand { crew: self, file });
            }
            state = self.wait(state);
        }
    }

    /// Takes all pieces in their order, until all files are over or `take` wants no more.
    fn take_all(&self, mut take: impl FnMut(usize, Option<P>) -> CrewWants) {
        let _stop = CrewStop(self);
        let mut state = self.lock();
        while state.first < self.files {
            let file = state.first;
            let taken = match state.lanes.front_mut() {
                Some(lane) => (lane.pieces.pop_front(), lane.is_over),
                None => (None, false),
            };
            match taken {
                (Some((piece, bytes)), _) => {
                    state.held -= bytes;
                    drop(state);
                    let wants = take(file, Some(piece));
                    state = self.lock();
                    match (wants, state.lanes.front_mut()) {
                        (CrewWants::Nothing, _) => return,
                        (CrewWants::Last, Some(lane)) => lane.is_unwanted = true,
                        _ => (),
                    }
                    self.changed.notify_all();
                }
                (None, true) => {
                    state.lanes.pop_front();
                    state.first += 1;
                    self.changed.notify_all();
                }
                (None, false) => {
                    let waited = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner);
                    state = waited.0;
                    if waited.1.timed_out() {
                        drop(state);
                        take(file, None);
                        state = self.lock();
                    }
                }
            }
        }
    }
}

/// Works on so many files with so many threads. `work` gets the number of a file and hands over what it makes of it;
/// `take` gets the pieces in the order of the files, and `None` from time to time while it has to wait. It returns what
/// else it wants.
///
/// # Errors
/// If no thread can be started: nothing was done then.
pub fn run<P: Send>(
    threads: usize,
    files: usize,
    work: impl Fn(usize, &Hand<'_, P>) + Sync,
    take: impl FnMut(usize, Option<P>) -> CrewWants,
) -> io::Result<()> {
    let state = Mutex::new(CrewState { lanes: VecDeque::new(), first: 0, held: 0, stopped: false });
    let crew = Crew { state, changed: Condvar::new(), files, ahead: threads.saturating_mul(AHEAD) };
    let one = || {
        while let Some(hand) = crew.next() {
            work(hand.file, &hand);
        }
    };
    scope(|scope| {
        for n in 0..threads {
            match Builder::new().spawn_scoped(scope, one) {
                Ok(_) => (),
                Err(e) if n == 0 => return Err(e),
                // Fewer do the same.
                Err(_) => break,
            }
        }
        crew.take_all(take);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn pieces_come_in_the_order_of_the_files() {
        for threads in [1, 2, 8] {
            let begun = AtomicUsize::new(0);
            let mut got = Vec::new();
            let work = |file: usize, hand: &Hand<'_, (usize, usize)>| {
                let begun = begun.fetch_add(1, Ordering::SeqCst);
                assert!(begun < 100);
                for n in 0..file % 5 {
                    if file.is_multiple_of(7) {
                        std::thread::yield_now();
                    }
                    assert!(hand.give((file, n), 1));
                }
            };
            let take = |file, piece: Option<(usize, usize)>| {
                if let Some((of, n)) = piece {
                    assert_eq!(of, file);
                    got.push((of, n));
                }
                CrewWants::All
            };
            run(threads, 100, work, take).unwrap();
            let want: Vec<_> = (0..100).flat_map(|file| (0..file % 5).map(move |n| (file, n))).collect();
            assert_eq!(got, want, "{threads}");
        }
    }

    #[test]
    fn only_so_many_files_and_bytes_wait() {
        let (ahead, held) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let taken = AtomicUsize::new(0);
        let work = |file: usize, hand: &Hand<'_, ()>| {
            ahead.fetch_max(file - taken.load(Ordering::SeqCst), Ordering::SeqCst);
            for _ in 0..4 {
                assert!(hand.give((), MAX_WAITING_BYTES / 3));
                held.fetch_max(hand.crew.lock().held, Ordering::SeqCst);
            }
        };
        let take = |file, piece: Option<()>| {
            taken.store(file, Ordering::SeqCst);
            if piece.is_some() {
                std::thread::sleep(Duration::from_millis(1));
            }
            CrewWants::All
        };
        run(2, 50, work, take).unwrap();
        assert!(ahead.into_inner() <= 2 * AHEAD);
        let held = held.into_inner();
        assert!(held <= MAX_WAITING_BYTES + MAX_WAITING_BYTES / 3, "{held}");
    }

    #[test]
    fn what_nobody_wants_is_not_made() {
        let (begun, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |file: usize, hand: &Hand<'_, bool>| {
            begun.fetch_add(1, Ordering::SeqCst);
            while hand.give(false, MAX_WAITING_BYTES) {}
            ended.fetch_add(1, Ordering::SeqCst);
            hand.end(file < 1000);
        };
        let mut last = Vec::new();
        let take = |file, piece| match (file, piece) {
            (3, Some(_)) => CrewWants::Nothing,
            (_, Some(true)) => {
                last.push(file);
                CrewWants::All
            }
            _ => CrewWants::Last,
        };
        run(3, 1000, work, take).unwrap();
        assert_eq!(last, [0, 1, 2]);
        assert!(begun.into_inner() <= 3 * AHEAD + 3);
    }
}
