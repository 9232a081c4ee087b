package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	warmingUp = iota
	measuring
	over
)

var phase atomic.Int32

type record struct{ Start, End, Value int64 }

// What one goroutine has seen.
type meter struct {
	keepsLog                         bool
	decisions, granted, grantedInAll uint64
	latencies                        [6000]uint64 // bucket b holds e^(b/200) ns and up: half a percent apart
	records                          []record
}

func (m *meter) count(decisions, granted uint64) {
	m.grantedInAll += granted
	if phase.Load() != measuring {
		return
	}
	m.decisions += decisions
	m.granted += granted
}

func (m *meter) time(elapsed time.Duration) {
	if phase.Load() != measuring {
		return
	}
	bucket := int(math.Log(math.Max(1, float64(elapsed))) * 200)
	m.latencies[min(bucket, len(m.latencies)-1)]++
}

// A decision: the time before and after, and its permits. A waiter: the same, and its number.
func (m *meter) log(start, end time.Time, value int64) {
	if m.keepsLog {
		m.records = append(m.records, record{start.UnixMicro(), end.UnixMicro(), value})
	}
}

func (m *meter) add(other *meter) {
	m.decisions += other.decisions
	m.granted += other.granted
	m.grantedInAll += other.grantedInAll
	for i, n := range other.latencies {
		m.latencies[i] += n
	}
	m.records = append(m.records, other.records...)
}

func (m *meter) writeLog(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	if err := binary.Write(out, binary.LittleEndian, m.records); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func (m *meter) print(elapsed time.Duration, algorithm string) error {
	latency := map[string]uint64{}
	for i, n := range m.latencies {
		if n > 0 {
			latency[strconv.Itoa(i)] = n
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": elapsed.Seconds(), "decisions": m.decisions, "granted": m.granted,
		"granted_in_all": m.grantedInAll, "algorithm": algorithm, "latency": latency,
	})
}
