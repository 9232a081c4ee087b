//! One run of one workload by one of the Rust contenders, told and reported as docs/benchmarks-peers.md says.

mod meter;
mod options;

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use meter::{phase, Meter, MEASURING, OVER, PHASE};
use options::Options;
use std::num::NonZeroU32;
use std::sync::atomic::Ordering;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use throttlecrab::AdaptiveStore;

const BETWEEN_LOOKS: u64 = 64; // so that neither the clock nor the phase is what is measured
const BETWEEN_DENIALS: Duration = Duration::from_micros(10); // in the log; there would be millions of them

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = Options::parse(&words);
    match options.contender.as_str() {
        "governor" if options.keys == 1 => run(&options, &Governor(RateLimiter::direct(quota(&options)))),
        "governor" => run(&options, &GovernorKeyed(RateLimiter::keyed(quota(&options)))),
        "throttlecrab" => run(&options, &Throttlecrab::new(&options)),
        other => panic!("unknown contender {other}"),
    }
}

trait Asked: Sync {
    fn try_acquire(&self, key: &String) -> bool;
}

/// The rate's permits at once, and then one every interval / rate.
fn quota(options: &Options) -> Quota {
    let permits = NonZeroU32::new(options.rate).expect("a rate above zero");
    Quota::with_period(options.interval / options.rate).expect("a period above zero").allow_burst(permits)
}

struct Governor(DefaultDirectRateLimiter);

impl Asked for Governor {
    fn try_acquire(&self, _: &String) -> bool {
        self.0.check().is_ok()
    }
}

struct GovernorKeyed(DefaultKeyedRateLimiter<String>);

impl Asked for GovernorKeyed {
    fn try_acquire(&self, key: &String) -> bool {
        self.0.check_key(key).is_ok()
    }
}

/// It wants to be owned by one thread; several share it behind a lock.
struct Throttlecrab {
    limiter: Mutex<throttlecrab::RateLimiter<AdaptiveStore>>,
    rate: i64,
    seconds: i64,
}

impl Throttlecrab {
    fn new(options: &Options) -> Throttlecrab {
        let store = AdaptiveStore::builder().capacity(options.keys).build();
        let limiter = Mutex::new(throttlecrab::RateLimiter::new(store));
        Throttlecrab { limiter, rate: options.rate.into(), seconds: options.interval.as_secs().max(1) as i64 }
    }
}

impl Asked for Throttlecrab {
    fn try_acquire(&self, key: &String) -> bool {
        let mut limiter = self.limiter.lock().unwrap();
        limiter.rate_limit(key, self.rate, self.rate, self.seconds, 1, SystemTime::now()).unwrap().0
    }
}

fn key_of(number: usize) -> String {
    format!("user:{number}")
}

/// At most a million keys to ask for, at random.
fn keys_to_ask(options: &Options) -> Vec<String> {
    if options.keys == 1 {
        return vec!["hot".to_string()];
    }
    let mut state = options.process.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    (0..(1 << 20).min(16 * options.keys)).map(|_| key_of(random() % options.keys)).collect()
}

fn run(options: &Options, asked: &impl Asked) {
    if options.fill {
        for i in 0..options.keys {
            asked.try_acquire(&key_of(i));
        }
    }
    let keys = keys_to_ask(options);
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).unwrap();

    let mut all = Meter::new();
    let elapsed = std::thread::scope(|scope| {
        let keys = &keys;
        let threads: Vec<_> = (0..options.callers)
            .map(|i| {
                scope.spawn(move || {
                    let mut cursor = i * 7919 % keys.len();
                    let ask = || {
                        cursor += 1;
                        if cursor == keys.len() {
                            cursor = 0;
                        }
                        asked.try_acquire(&keys[cursor])
                    };
                    if options.log.is_empty() { ask_quickly(ask) } else { ask_and_log(ask) }
                })
            })
            .collect();
        let elapsed = keep_time(options);
        for thread in threads {
            all.add(thread.join().unwrap());
        }
        elapsed
    });
    if !options.log.is_empty() {
        all.write_log(&options.log).unwrap();
    }
    all.print(elapsed.as_secs_f64());
}

/// Lets the callers warm up, says "begin", lets them be measured, says "end". How long that took.
fn keep_time(options: &Options) -> Duration {
    std::thread::sleep(options.warmup);
    println!("begin");
    PHASE.store(MEASURING, Ordering::Relaxed);
    let begin = Instant::now();
    std::thread::sleep(options.seconds);
    PHASE.store(OVER, Ordering::Relaxed);
    let elapsed = begin.elapsed();
    println!("end");
    elapsed
}

/// Times one in 64.
fn ask_quickly(mut ask: impl FnMut() -> bool) -> Meter {
    let mut meter = Meter::new();
    while phase() != OVER {
        let mut granted = 0;
        for _ in 1..BETWEEN_LOOKS {
            granted += u64::from(ask());
        }
        let start = Instant::now();
        granted += u64::from(ask());
        let elapsed = start.elapsed();
        meter.count(BETWEEN_LOOKS, granted);
        meter.time(elapsed);
    }
    meter
}

fn ask_and_log(mut ask: impl FnMut() -> bool) -> Meter {
    let mut meter = Meter::new();
    let mut last_denial = SystemTime::UNIX_EPOCH;
    while phase() != OVER {
        let start = SystemTime::now();
        let granted = ask();
        let end = SystemTime::now();
        meter.count(1, u64::from(granted));
        if !granted {
            if start.duration_since(last_denial).unwrap_or_default() < BETWEEN_DENIALS {
                continue;
            }
            last_denial = start;
        }
        meter.log(start, end, i64::from(granted));
    }
    meter
}
