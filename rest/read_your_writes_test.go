package rest

import (
	"fmt"
	"testing"
	"time"
)

func TestWritersExpire(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	w := &writers{now: func() time.Time { return now }, expiry: 6 * time.Second}
	if w.wroteLately("192.0.2.1") {
		t.Error("nobody has written yet")
	}
	w.wrote("192.0.2.1")
	now = now.Add(6 * time.Second)
	if !w.wroteLately("192.0.2.1") || w.wroteLately("192.0.2.2") {
		t.Error("who has written counts, and nobody else")
	}
	now = now.Add(time.Millisecond)
	if w.wroteLately("192.0.2.1") || len(w.until) != 0 {
		t.Error("a write is remembered for too long")
	}
	for i := range 3 * maxWriters {
		w.wrote(fmt.Sprint(i))
		if !w.wroteLately(fmt.Sprint(i)) || !w.wroteLately("0") {
			t.Fatal("a writer is forgotten among many")
		}
		if len(w.until) > maxWriters {
			t.Fatalf("%d addresses are in memory", len(w.until))
		}
	}
	now = now.Add(time.Minute)
	if w.wroteLately("0") || w.wroteLately("192.0.2.1") {
		t.Error("the crowd is remembered for too long")
	}
	for i := range maxWriters { // the old ones make room
		w.wrote(fmt.Sprint("again", i))
	}
	if w.all.After(now) {
		t.Error("a crowd of the past counts")
	}
}
