package recording_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

// TestJournalIsBounded checks that a journal has at most two files of the given size, each
// replayable.
func TestJournalIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	const size = 20_000
	journal, err := recording.OpenJournal(file, size, recording.Header{Home: "https://town.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 100 {
				if err := journal.Append(compattest.Exchange("a", "GET", fmt.Sprintf("/wp-json/tribe/events/v1/events?page=%d&w=%d", i, w), `{"a":1}`)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	x := compattest.Exchange("a", "GET", "/wp-json/x", `{"a":1}`)
	x.Response.Body = strings.Repeat("x", size)
	if err := journal.Append(x); err == nil {
		t.Error("an exchange larger than the file is taken")
	}
	for _, name := range []string{file, file + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > size {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		headers := 0
		if err := recording.Read([]string{name}, func(e recording.Entry) error {
			if e.Header != nil {
				headers++
			}
			return nil
		}); err != nil || headers != 1 {
			t.Errorf("%s: %d headers, %v", name, headers, err)
		}
	}
}
