'use strict';
// One run of one workload by one of the Node contenders, told and reported as docs/benchmarks-peers.md says.

const fs = require('node:fs');
const { parseArgs } = require('node:util');
const Redis = require('ioredis');
const { RateLimiterMemory, RateLimiterQueue, RateLimiterRedis } = require('rate-limiter-flexible');
const { Meter } = require('./meter.js');

const BETWEEN_LOOKS = 64; // so that the clock is not what is measured
const BETWEEN_DENIALS = 0.01; // milliseconds, in the log; there would be millions of them

function parse() {
  const text = ['contender', 'url', 'mode', 'log', 'callers', 'keys', 'rate', 'interval-ms', 'warmup', 'seconds',
    'process', 'fill'];
  const { values } = parseArgs({ options: Object.fromEntries(text.map((name) => [name, { type: 'string' }])) });
  const number = (name, otherwise) => Number(values[name] ?? otherwise);
  return {
    contender: values.contender,
    url: values.url,
    mode: values.mode ?? 'ask',
    log: values.log,
    callers: number('callers', 1),
    keys: number('keys', 1),
    rate: number('rate', 1),
    intervalMs: number('interval-ms', 1000),
    warmup: number('warmup', 0.2),
    seconds: number('seconds', 1),
    fill: values.fill === '1',
  };
}

function open(options) {
  const limit = { points: options.rate, duration: options.intervalMs / 1000 };
  switch (options.contender) {
    case 'rlf-memory':
      return new RateLimiterMemory(limit);
    case 'rlf':
      return new RateLimiterRedis({ ...limit, storeClient: connect(options) });
    case 'rlf-block': // a key known to be used up is not asked for again before its window ends
      return new RateLimiterRedis({ ...limit, storeClient: connect(options), inMemoryBlockOnConsumed: options.rate });
    default:
      throw new Error(`unknown contender ${options.contender}`);
  }
}

function connect(options) {
  return new Redis(options.url, { enableAutoPipelining: true });
}

/** A refusal is a rejection that is no Error. */
async function tryAcquire(limiter, key) {
  try {
    await limiter.consume(key, 1);
    return true;
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    return false;
  }
}

const keyOf = (number) => `user:${number}`;

/** At most a million keys to ask for, at random. */
function keysToAsk(options) {
  if (options.keys === 1) return ['hot'];
  const count = Math.min(1 << 20, 16 * options.keys);
  return Array.from({ length: count }, () => keyOf(Math.floor(Math.random() * options.keys)));
}

async function fill(limiter, options) {
  let next = 0;
  const caller = async () => {
    while (next < options.keys) await tryAcquire(limiter, keyOf(next++));
  };
  await Promise.all(Array.from({ length: options.callers }, caller));
}

function waitForGo() {
  fs.writeSync(1, 'ready\n');
  return new Promise((resolve) => process.stdin.once('data', resolve));
}

async function ask(limiter, options, meter) {
  const keys = keysToAsk(options);
  let cursor = 0;
  const caller = async () => {
    while (!meter.isOver()) {
      cursor = cursor + 1 < keys.length ? cursor + 1 : 0;
      const start = Meter.now();
      const granted = await tryAcquire(limiter, keys[cursor]);
      const end = Meter.now();
      meter.count(1, granted ? 1 : 0);
      meter.time(end - start);
      meter.log(start, end, granted ? 1 : 0);
    }
  };
  const timekeeper = meter.keepTime();
  const callers = Array.from({ length: options.callers }, caller);
  await Promise.all([timekeeper, ...callers]);
}

/** Promises that are settled at once starve all timers, so this caller keeps the time itself. Times one in 64. */
async function askMemory(limiter, options, meter) {
  const keys = keysToAsk(options);
  let cursor = 0;
  const once = () => {
    cursor = cursor + 1 < keys.length ? cursor + 1 : 0;
    return tryAcquire(limiter, keys[cursor]);
  };
  let lastDenial = 0;
  meter.start = Meter.now();
  while (!meter.isOver()) {
    let granted = 0;
    const others = meter.keepsLog ? 0 : BETWEEN_LOOKS - 1;
    for (let i = 0; i < others; i++) granted += (await once()) ? 1 : 0;
    const start = Meter.now();
    const last = await once();
    const end = Meter.now();
    granted += last ? 1 : 0;
    meter.count(others + 1, granted);
    meter.time(end - start);
    if (last || start - lastDenial >= BETWEEN_DENIALS) {
      if (!last) lastDenial = start;
      meter.log(start, end, last ? 1 : 0);
    }
    meter.look(end);
    // Its windows end by timers: let them run now and then.
    if (end - lastTurn > 1) {
      await new Promise(setImmediate);
      lastTurn = end;
    }
  }
}
let lastTurn = 0;

async function waitInLine(limiter, options, meter) {
  const queue = new RateLimiterQueue(limiter);
  let nextNumber = 0;
  const waiter = async () => {
    while (!meter.isOver()) {
      const number = nextNumber++;
      const since = Meter.now();
      await queue.removeTokens(1);
      if (meter.isOver()) return;
      meter.count(1, 1);
      meter.log(since, Meter.now(), number);
    }
  };
  for (let i = 0; i < options.callers; i++) waiter();
  await meter.keepTime();
}

async function main() {
  const options = parse();
  const limiter = open(options);
  const meter = new Meter(options);
  if (options.fill) await fill(limiter, options);
  if (options.url !== 'memory:') await limiter.get('hot'); // connected
  await waitForGo();
  if (options.mode === 'wait') await waitInLine(limiter, options, meter);
  else if (options.url === 'memory:') await askMemory(limiter, options, meter);
  else await ask(limiter, options, meter);
  meter.report('fixed_window');
  process.exit(0);
}

main().catch((problem) => {
  console.error(problem);
  process.exit(2);
});
