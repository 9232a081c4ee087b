use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub const MEASURING: u8 = 1;
pub const OVER: u8 = 2;

/// Told by the thread that keeps the time, looked at by those who ask.
pub static PHASE: AtomicU8 = AtomicU8::new(0);

pub fn phase() -> u8 {
    PHASE.load(Ordering::Relaxed)
}

/// What one thread has seen.
pub struct Meter {
    decisions: u64,
    granted: u64,
    granted_in_all: u64,
    latencies: Vec<u64>, // bucket b holds e^(b/200) ns and up: half a percent apart
    log: Vec<[i64; 3]>,
}

fn microseconds(moment: SystemTime) -> i64 {
    moment.duration_since(UNIX_EPOCH).unwrap().as_micros() as i64
}

impl Meter {
    pub fn new() -> Meter {
        Meter { decisions: 0, granted: 0, granted_in_all: 0, latencies: vec![0; 6000], log: Vec::new() }
    }

    pub fn count(&mut self, decisions: u64, granted: u64) {
        self.granted_in_all += granted;
        if phase() == MEASURING {
            self.decisions += decisions;
            self.granted += granted;
        }
    }

    pub fn time(&mut self, elapsed: Duration) {
        if phase() == MEASURING {
            let bucket = ((elapsed.as_nanos().max(1) as f64).ln() * 200.0) as usize;
            let last = self.latencies.len() - 1;
            self.latencies[bucket.min(last)] += 1;
        }
    }

    pub fn log(&mut self, start: SystemTime, end: SystemTime, permits: i64) {
        self.log.push([microseconds(start), microseconds(end), permits]);
    }

    pub fn add(&mut self, other: Meter) {
        self.decisions += other.decisions;
        self.granted += other.granted;
        self.granted_in_all += other.granted_in_all;
        for (mine, theirs) in self.latencies.iter_mut().zip(&other.latencies) {
            *mine += theirs;
        }
        self.log.extend(other.log);
    }

    pub fn write_log(&self, file: &str) -> std::io::Result<()> {
        let mut out = BufWriter::new(File::create(file)?);
        for number in self.log.iter().flatten() {
            out.write_all(&number.to_le_bytes())?;
        }
        out.flush()
    }

    pub fn print(&self, seconds: f64) {
        let buckets: Vec<String> = (self.latencies.iter().enumerate())
            .filter(|(_, count)| **count > 0)
            .map(|(bucket, count)| format!("\"{bucket}\": {count}"))
            .collect();
        println!(
            "{{\"seconds\": {seconds}, \"decisions\": {}, \"granted\": {}, \"granted_in_all\": {}, \
             \"algorithm\": \"token_bucket\", \"latency\": {{{}}}}}",
            self.decisions,
            self.granted,
            self.granted_in_all,
            buckets.join(", ")
        );
    }
}
