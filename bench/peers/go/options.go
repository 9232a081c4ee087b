package main

import (
	"flag"
	"time"
)

// What the runner asks of a contender; the same for all languages (docs/benchmarks-peers.md, "The programs").
type options struct {
	contender, url, mode, log string
	callers, keys, rate       int
	interval                  time.Duration
	warmup, seconds           time.Duration
	process                   int
	fill                      bool
}

func parse() options {
	var o options
	var intervalMs, fill int
	var warmup, seconds float64
	flag.StringVar(&o.contender, "contender", "", "")
	flag.StringVar(&o.url, "url", "", "")
	flag.StringVar(&o.mode, "mode", "ask", "")
	flag.StringVar(&o.log, "log", "", "")
	flag.IntVar(&o.callers, "callers", 1, "")
	flag.IntVar(&o.keys, "keys", 1, "")
	flag.IntVar(&o.rate, "rate", 1, "")
	flag.IntVar(&intervalMs, "interval-ms", 1000, "")
	flag.Float64Var(&warmup, "warmup", 0.2, "")
	flag.Float64Var(&seconds, "seconds", 1, "")
	flag.IntVar(&o.process, "process", 0, "")
	flag.IntVar(&fill, "fill", 0, "")
	flag.Parse()
	o.interval = time.Duration(intervalMs) * time.Millisecond
	o.warmup = time.Duration(warmup * float64(time.Second))
	o.seconds = time.Duration(seconds * float64(time.Second))
	o.fill = fill == 1
	return o
}
