package main

import (
	"context"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

// redis_rate over go-redis. A goroutine per caller, as one writes it in Go. Its pool has ten connections for each
// processor by default; here each caller may have one, up to 64, which is the most Redisson's pool takes by default.
type redisRate struct {
	limiter *redis_rate.Limiter
	limit   redis_rate.Limit
}

func newRedisRate(o options) (*redisRate, error) {
	settings, err := redis.ParseURL(o.url)
	if err != nil {
		return nil, err
	}
	settings.PoolSize = max(1, min(o.callers, 64))
	settings.ReadTimeout = 20 * time.Second
	settings.PoolTimeout = time.Hour // a crowd of waiters is patient
	limit := redis_rate.Limit{Rate: o.rate, Burst: o.rate, Period: o.interval}
	return &redisRate{redis_rate.NewLimiter(redis.NewClient(settings)), limit}, nil
}

func (r *redisRate) allow(key string) (*redis_rate.Result, error) {
	return r.limiter.Allow(context.Background(), key, r.limit)
}

func (r *redisRate) fill(o options) error {
	var next atomic.Int64
	var failure atomic.Value
	var all sync.WaitGroup
	for i := 0; i < o.callers; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := next.Add(1) - 1; n < int64(o.keys); n = next.Add(1) - 1 {
				if _, err := r.allow(keyOf(int(n))); err != nil {
					failure.Store(err)
					return
				}
			}
		}()
	}
	all.Wait()
	if err, failed := failure.Load().(error); failed {
		return err
	}
	return nil
}

func askRedis(o options) error {
	limiter, err := newRedisRate(o)
	if err != nil {
		return err
	}
	keys := keysToAsk(o)
	if o.fill {
		err = limiter.fill(o)
	}
	if err != nil {
		return err
	}
	waitForGo()
	meters := make([]*meter, o.callers)
	failures := make(chan error, o.callers)
	for i := range meters {
		meters[i] = &meter{keepsLog: o.log != ""}
		go func(m *meter, cursor int) {
			for phase.Load() != over {
				cursor = (cursor + 1) % len(keys)
				start := time.Now()
				result, err := limiter.allow(keys[cursor])
				end := time.Now()
				if err != nil {
					failures <- err
					return
				}
				m.count(1, uint64(result.Allowed))
				m.time(end.Sub(start))
				m.log(start, end, int64(result.Allowed))
			}
			failures <- nil
		}(meters[i], i*7919)
	}
	elapsed := keepTime(o)
	for range meters {
		if err := <-failures; err != nil {
			return err
		}
	}
	return report(o, meters, elapsed, "token_bucket")
}

// Waiting is not part of redis_rate; one sleeps for RetryAfter and asks again.
func waitInLine(o options) error {
	limiter, err := newRedisRate(o)
	if err != nil {
		return err
	}
	waitForGo()
	for { // a bucket: empty, it fills evenly
		result, err := limiter.allow("hot")
		if err != nil {
			return err
		}
		if result.Allowed == 0 {
			break
		}
	}
	all := &meter{keepsLog: true}
	var lock sync.Mutex
	var number int64
	for i := 0; i < o.callers; i++ {
		go func() {
			for phase.Load() != over {
				lock.Lock()
				mine := number
				number++
				since := time.Now()
				lock.Unlock()
				for {
					result, err := limiter.allow("hot")
					if phase.Load() == over {
						return
					}
					if err != nil {
						log.Fatal(err)
					}
					if result.Allowed > 0 {
						break
					}
					time.Sleep(result.RetryAfter)
				}
				lock.Lock()
				all.count(1, 1)
				all.log(since, time.Now(), mine)
				lock.Unlock()
			}
		}()
	}
	elapsed := keepTime(o)
	lock.Lock()
	defer lock.Unlock()
	return report(o, []*meter{all}, elapsed, "token_bucket")
}
