package respcache

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"calbridge/wpstore/invalidation"
)

func newCache(t *testing.T, bytes uint64) (*Cache, *invalidation.Tracker) {
	t.Helper()
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	c := New(tracker, bytes)
	t.Cleanup(c.Close)
	return c, tracker
}

func TestAnswersAreKeptWhileTheyHold(t *testing.T) {
	c, tracker := newCache(t, 1<<20)
	key := Key{URI: "/events/1"}
	one, two := invalidation.Tag{Kind: invalidation.Post, ID: 1}, invalidation.Tag{Kind: invalidation.Post, ID: 2}
	keep := func() { c.Put(key, &Answer{Made: tracker.Generation(), Tags: []invalidation.Tag{one}}) }

	keep()
	if c.Get(key, 5) == nil {
		t.Error("not kept")
	}
	if c.Get(Key{URI: "/events/1", HTTPS: true}, 5) != nil {
		t.Error("an answer to another key")
	}
	tracker.Invalidate(two)
	for range 2 { // the second time by the short way
		if c.Get(key, 5) == nil {
			t.Error("dropped though something else changed")
		}
	}
	tracker.Invalidate(one)
	if c.Get(key, 5) != nil {
		t.Error("kept though it changed")
	}
	keep()
	tracker.Suspend()
	if c.Get(key, 5) != nil {
		t.Error("given out though nobody hears of changes")
	}
	tracker.Resume(false)
	if c.Get(key, 5) == nil {
		t.Error("lost though nothing was missed")
	}

	made := tracker.Generation()
	tracker.Invalidate(one)
	c.Put(key, &Answer{Made: made, Tags: []invalidation.Tag{one}})
	if c.Get(key, 5) != nil {
		t.Error("kept though it changed while it was made")
	}
	c.Put(key, &Answer{Made: tracker.Generation(), Second: 5})
	if c.Get(key, 5) == nil || c.Get(key, 6) != nil {
		t.Error("an answer of one second")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	const bound = 1 << 20
	c, tracker := newCache(t, bound)
	for i := range 1000 {
		c.Put(Key{URI: strconv.Itoa(i)}, &Answer{Made: tracker.Generation(), Body: make([]byte, 10<<10)})
	}
	c.Put(Key{URI: strings.Repeat("x", MaxKey+1)}, &Answer{Made: tracker.Generation()})
	c.kept.CleanUp()
	answers, weight := c.Size()
	if weight > bound || answers < 20 || answers > 100 || c.Evicted() == 0 {
		t.Errorf("%d answers of %d bytes, %d evicted", answers, weight, c.Evicted())
	}
}

func TestOneBuildsAtATime(t *testing.T) {
	c, tracker := newCache(t, 1<<20)
	key := Key{URI: "/events"}
	var builds atomic.Int32
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			for c.Get(key, 0) == nil {
				build, done, err := c.Turn(context.Background(), key)
				if err != nil {
					t.Error(err)
					return
				}
				if build {
					if c.Get(key, 0) == nil {
						builds.Add(1)
						c.Put(key, &Answer{Made: tracker.Generation()})
					}
					done()
				}
			}
		})
	}
	group.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("built %d times", n)
	}
	_, done, _ := c.Turn(context.Background(), key)
	defer done()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := c.Turn(ctx, key); !errors.Is(err, context.Canceled) {
		t.Errorf("waits on though nobody does: %v", err)
	}
}

func TestNegotiate(t *testing.T) {
	for accept, want := range map[string]Encoding{
		"": Identity, "gzip": Gzip, "GZIP": Gzip, "x-gzip": Gzip, "br": Identity, "zstd": Zstd, "gzip, deflate, br, zstd": Zstd,
		"gzip;q=1.0, zstd;q=0.5": Gzip, "gzip;q=0": Identity, "*": Zstd, "*;q=0.1, gzip": Gzip, "zstd;q=0, *": Gzip,
		"identity, gzip;q=0.5": Identity, "gzip;q=x": Identity, "gzip;q=2": Identity, ";;,,=": Identity, "gzip; q = 0.3": Gzip,
	} {
		if got := Negotiate(accept); got != want {
			t.Errorf("%q: %q, want %q", accept, got.Name(), want.Name())
		}
	}
}

func FuzzNegotiate(f *testing.F) {
	f.Add("gzip;q=1.0, zstd;q=0.5, *;q=0")
	f.Fuzz(func(t *testing.T, accept string) {
		if e := Negotiate(accept); e != Identity && !strings.Contains(strings.ToLower(accept), e.Name()) && !strings.Contains(accept, "*") {
			t.Errorf("%q: %s", accept, e.Name())
		}
	})
}

func TestEncoded(t *testing.T) {
	body := []byte(strings.Repeat(`{"id":1,"title":"Koncert"},`, 500))
	a, c := &Answer{Body: body}, NewCompressor()
	for range 2 { // pooled writers too
		for e, read := range map[Encoding]func([]byte) ([]byte, error){
			Identity: func(b []byte) ([]byte, error) { return b, nil },
			Gzip: func(b []byte) ([]byte, error) {
				r, err := gzip.NewReader(bytes.NewReader(b))
				if err != nil {
					return nil, err
				}
				return io.ReadAll(r)
			},
			Zstd: func(b []byte) ([]byte, error) {
				r, err := zstd.NewReader(bytes.NewReader(b))
				if err != nil {
					return nil, err
				}
				defer r.Close()
				return io.ReadAll(r)
			},
		} {
			encoded := a.Encoded(e, c)
			got, err := read(encoded)
			if err != nil || !bytes.Equal(got, body) || e != Identity && len(encoded) > len(body)/4 {
				t.Errorf("%q: %d bytes, %v", e.Name(), len(encoded), err)
			}
			if &a.Encoded(e, c)[0] != &encoded[0] {
				t.Errorf("%q: compressed twice", e.Name())
			}
		}
		a = &Answer{Body: body}
	}
}
