// One run of one workload by one of the Go contenders, told and reported as docs/benchmarks-peers.md says.
package main

import (
	"bufio"
	"fmt"
	"log"
	"math/rand"
	"os"
	"strconv"
	"time"
)

func main() {
	o := parse()
	var err error
	switch {
	case o.contender == "redis_rate" && o.mode == "wait":
		err = waitInLine(o)
	case o.contender == "redis_rate":
		err = askRedis(o)
	case o.contender == "x-time-rate":
		err = askMemory(o)
	default:
		err = fmt.Errorf("unknown contender %q", o.contender)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func waitForGo() {
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n')
}

// Lets the callers warm up, says "begin", lets them be measured, says "end". How long that took.
func keepTime(o options) time.Duration {
	time.Sleep(o.warmup)
	fmt.Println("begin")
	phase.Store(measuring)
	begin := time.Now()
	time.Sleep(o.seconds)
	phase.Store(over)
	elapsed := time.Since(begin)
	fmt.Println("end")
	return elapsed
}

func keyOf(number int) string { return "user:" + strconv.Itoa(number) }

// At most a million keys to ask for, at random.
func keysToAsk(o options) []string {
	if o.keys == 1 {
		return []string{"hot"}
	}
	random := rand.New(rand.NewSource(int64(o.process)))
	keys := make([]string, min(1<<20, 16*o.keys))
	for i := range keys {
		keys[i] = keyOf(random.Intn(o.keys))
	}
	return keys
}

// The meters of all goroutines, put together.
func report(o options, meters []*meter, elapsed time.Duration, algorithm string) error {
	all := meters[0]
	for _, other := range meters[1:] {
		all.add(other)
	}
	if o.log != "" {
		if err := all.writeLog(o.log); err != nil {
			return err
		}
	}
	return all.print(elapsed, algorithm)
}
