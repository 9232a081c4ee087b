package main

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	betweenLooks   = 64                    // so that neither the clock nor the phase is what is measured
	betweenDenials = 10 * time.Microsecond // in the log; there would be millions of them
)

// golang.org/x/time/rate has no keys: a limiter per key, in a map behind a lock, is what one writes.
type limiters struct {
	lock  sync.RWMutex
	byKey map[string]*rate.Limiter
	make  func() *rate.Limiter
}

func (l *limiters) of(key string) *rate.Limiter {
	l.lock.RLock()
	limiter := l.byKey[key]
	l.lock.RUnlock()
	if limiter != nil {
		return limiter
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if limiter = l.byKey[key]; limiter == nil {
		limiter = l.make()
		l.byKey[key] = limiter
	}
	return limiter
}

func askMemory(o options) error {
	perSecond := rate.Limit(float64(o.rate) / o.interval.Seconds())
	all := &limiters{byKey: map[string]*rate.Limiter{}, make: func() *rate.Limiter {
		return rate.NewLimiter(perSecond, o.rate)
	}}
	if o.fill {
		for i := 0; i < o.keys; i++ {
			all.of(keyOf(i)).Allow()
		}
	}
	keys := keysToAsk(o)
	hot := all.make()

	waitForGo()
	meters := make([]*meter, o.callers)
	var threads sync.WaitGroup
	for i := range meters {
		meters[i] = &meter{keepsLog: o.log != ""}
		cursor := i * 7919 % len(keys)
		ask := hot.Allow
		if o.keys > 1 {
			ask = func() bool {
				cursor++
				if cursor == len(keys) {
					cursor = 0
				}
				return all.of(keys[cursor]).Allow()
			}
		}
		threads.Add(1)
		go func(m *meter) {
			defer threads.Done()
			if m.keepsLog {
				askAndLog(m, ask)
			} else {
				askQuickly(m, ask)
			}
		}(meters[i])
	}
	elapsed := keepTime(o)
	threads.Wait()
	return report(o, meters, elapsed, "token_bucket")
}

// Times one in 64.
func askQuickly(m *meter, ask func() bool) {
	for phase.Load() != over {
		granted := uint64(0)
		for i := 1; i < betweenLooks; i++ {
			if ask() {
				granted++
			}
		}
		start := time.Now()
		if ask() {
			granted++
		}
		elapsed := time.Since(start)
		m.count(betweenLooks, granted)
		m.time(elapsed)
	}
}

func askAndLog(m *meter, ask func() bool) {
	var lastDenial time.Time
	for phase.Load() != over {
		start := time.Now()
		granted := ask()
		end := time.Now()
		if granted {
			m.count(1, 1)
			m.log(start, end, 1)
			continue
		}
		m.count(1, 0)
		if start.Sub(lastDenial) >= betweenDenials {
			lastDenial = start
			m.log(start, end, 0)
		}
	}
}
