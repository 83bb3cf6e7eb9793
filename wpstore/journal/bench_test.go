package journal

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

// benchStates returns of how many events the benchmarks keep states: CALBRIDGE_JOURNAL_STATES,
// or 10,000.
func benchStates() int {
	if n, err := strconv.Atoi(os.Getenv("CALBRIDGE_JOURNAL_STATES")); err == nil {
		return n
	}
	return 10_000
}

// processorTime returns that of this process up to now.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reportCPU reports the processor time since a moment, in milliseconds an operation.
func reportCPU(b *testing.B, since time.Duration) {
	b.Helper()
	b.ReportMetric(float64((processorTime(b)-since).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// BenchmarkLoad records the states of all events, which are in memory: what reading them from
// the database takes comes on top.
func BenchmarkLoad(b *testing.B) {
	site := &calendarSite{events: benchStates()}
	var bytes, most int64
	since := processorTime(b)
	for b.Loop() {
		j, _ := openedJournal(b, b.TempDir(), site)
		bytes += pages(b, j.file)
		most += j.Size()
		_ = j.file.close()
	}
	reportCPU(b, since)
	b.ReportMetric(float64(bytes)/float64(b.N)/float64(site.events), "bytes/state")
	b.ReportMetric(float64(most)/float64(b.N)/float64(site.events), "bytes-with-log/state")
}

// BenchmarkRecord records changes of some events at a time, each of which is another state. The
// bytes are those of the changes alone.
func BenchmarkRecord(b *testing.B) {
	for _, n := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			site := &calendarSite{events: benchStates()}
			j, record := openedJournal(b, b.TempDir(), site)
			before := pages(b, j.file)
			runtime.GC()
			since := processorTime(b)
			b.ResetTimer()
			for range b.N {
				site.parent++
				var changed []invalidation.Tag
				for i := range n {
					changed = append(changed, invalidation.Tag{Kind: invalidation.Post, ID: firstEvent + int64((i*7919+int(site.parent)*104729)%site.events)})
				}
				record(append(changed, invalidation.Tag{Kind: invalidation.Posts}, invalidation.Tag{Kind: invalidation.Events})...)
			}
			b.StopTimer()
			reportCPU(b, since)
			b.ReportMetric(float64(pages(b, j.file)-before)/float64(b.N*n), "bytes/change")
		})
	}
}

// pages returns how many bytes the file has, without its log.
func pages(b *testing.B, f *file) (bytes int64) {
	b.Helper()
	for name, times := range map[string]*int64{"page_count": new(int64), "page_size": new(int64)} {
		if err := f.db.QueryRowContext(b.Context(), "PRAGMA "+name).Scan(times); err != nil {
			b.Fatal(err)
		}
		if bytes == 0 {
			bytes = 1
		}
		bytes *= *times
	}
	return bytes
}
