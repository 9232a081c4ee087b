use std::time::Duration;

/// What the runner asks of a contender; the same for all languages (docs/benchmarks-peers.md, "The programs").
#[derive(Clone)]
pub struct Options {
    pub contender: String,
    pub log: String,
    pub callers: usize,
    pub keys: usize,
    pub rate: u32,
    pub interval: Duration,
    pub warmup: Duration,
    pub seconds: Duration,
    pub process: u64,
    pub fill: bool,
}

impl Options {
    pub fn parse(words: &[String]) -> Options {
        let given = |name: &str, otherwise: &str| -> String {
            let at = words.iter().position(|word| word == name);
            at.map_or(otherwise, |i| words[i + 1].as_str()).to_string()
        };
        let number = |name: &str, otherwise: &str| -> f64 {
            let text = given(name, otherwise);
            text.parse().unwrap_or_else(|_| panic!("{name} wants a number, not {text}"))
        };
        Options {
            contender: given("--contender", ""),
            log: given("--log", ""),
            callers: number("--callers", "1") as usize,
            keys: number("--keys", "1") as usize,
            rate: number("--rate", "1") as u32,
            interval: Duration::from_millis(number("--interval-ms", "1000") as u64),
            warmup: Duration::from_secs_f64(number("--warmup", "0.2")),
            seconds: Duration::from_secs_f64(number("--seconds", "1")),
            process: number("--process", "0") as u64,
            fill: given("--fill", "0") == "1",
        }
    }
}
