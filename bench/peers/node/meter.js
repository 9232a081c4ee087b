'use strict';
// What the callers have seen, and which phase it is.

const fs = require('node:fs');
const { performance } = require('node:perf_hooks');

const WARMING_UP = 0;
const MEASURING = 1;
const OVER = 2;

class Meter {
  constructor(options) {
    this.options = options;
    this.phase = WARMING_UP;
    this.decisions = 0;
    this.granted = 0;
    this.grantedInAll = 0;
    this.latencies = new Float64Array(6000); // bucket b holds e^(b/200) ns and up: half a percent apart
    this.keepsLog = Boolean(options.log);
    this.records = [];
  }

  /** Milliseconds since 1970, with a fraction: one clock for all processes. */
  static now() {
    return performance.timeOrigin + performance.now();
  }

  count(decisions, granted) {
    this.grantedInAll += granted;
    if (this.phase !== MEASURING) return;
    this.decisions += decisions;
    this.granted += granted;
  }

  time(milliseconds) {
    if (this.phase !== MEASURING) return;
    const bucket = Math.floor(Math.log(Math.max(1, milliseconds * 1e6)) * 200);
    this.latencies[Math.min(bucket, this.latencies.length - 1)] += 1;
  }

  /** A decision: the time before and after, and its permits. A waiter: the same, and its number. */
  log(start, end, value) {
    if (this.keepsLog) this.records.push(start * 1000, end * 1000, value);
  }

  isOver() {
    return this.phase === OVER;
  }

  /** The phase as of now. Whoever never lets a timer run has to call this. */
  look(now) {
    if (this.phase === WARMING_UP && now >= this.start + this.options.warmup * 1000) {
      fs.writeSync(1, 'begin\n');
      this.phase = MEASURING;
      this.begin = Meter.now();
    } else if (this.phase === MEASURING && now >= this.begin + this.options.seconds * 1000) {
      this.phase = OVER;
      this.seconds = (Meter.now() - this.begin) / 1000;
      fs.writeSync(1, 'end\n');
    }
  }

  async keepTime() {
    this.start = Meter.now();
    while (!this.isOver()) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      this.look(Meter.now());
    }
  }

  report(algorithm) {
    if (this.keepsLog) {
      const numbers = new BigInt64Array(this.records.length);
      for (let i = 0; i < this.records.length; i++) numbers[i] = BigInt(Math.floor(this.records[i]));
      fs.writeFileSync(this.options.log, Buffer.from(numbers.buffer));
    }
    const latency = {};
    this.latencies.forEach((count, bucket) => {
      if (count > 0) latency[bucket] = count;
    });
    console.log(JSON.stringify({
      seconds: this.seconds,
      decisions: this.decisions,
      granted: this.granted,
      granted_in_all: this.grantedInAll,
      algorithm,
      latency,
    }));
  }
}

module.exports = { Meter };
