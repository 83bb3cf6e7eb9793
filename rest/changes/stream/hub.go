package stream

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"calbridge/wpstore/guard"
)

// Errors of Enter.
var (
	ErrAddress = errors.New("too many streams of this address")
	ErrAll     = errors.New("too many streams")
)

// Why a stream has ended.
const (
	EndedByClient = "client" // it has closed the connection
	EndedSlow     = "slow"   // it read too slowly
	EndedList     = "list"   // its list can't be read any more as the client asked for it
	EndedServer   = "server" // the server stops or reloads
)

// Ends returns all of them, as metrics show them.
func Ends() []string {
	return []string{EndedByClient, EndedSlow, EndedList, EndedServer}
}

// Observer counts what happens. Its methods are safe for concurrent use.
type Observer interface {
	// Opened and Closed are called for each stream.
	Opened()
	Closed(why string)
	// Sent is called for each change that was sent to a client; lag is the time since it was
	// reported.
	Sent(lag time.Duration)
}

// Config configures a Hub.
type Config struct {
	// Most is the limit of streams in all, MostOfAddress that of one address.
	Most, MostOfAddress int
	// Heartbeat is the longest time without a message.
	Heartbeat time.Duration
	Observer  Observer // may be nil
	Logger    *slog.Logger
	Guard     *guard.Guard
}

// Hub is all streams of a server. It is safe for concurrent use.
type Hub struct {
	cfg Config
	// reading bounds how many read from sources at the same time: ordinary requests need
	// processors too.
	reading chan struct{}
	context context.Context // ends with Close
	end     context.CancelFunc
	work    sync.WaitGroup

	mu sync.Mutex
	// open is what streams run in: it ends with Shut, and cut ends it.
	open      context.Context
	cut       context.CancelFunc
	clients   int
	byAddress map[string]int
	groups    map[string]*group // by the keys of their lists
}

// NewHub returns a Hub without streams.
func NewHub(cfg Config) *Hub {
	h := &Hub{cfg: cfg, reading: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)), byAddress: map[string]int{}, groups: map[string]*group{}}
	h.context, h.end = context.WithCancel(context.Background())
	h.open, h.cut = context.WithCancel(h.context)
	return h
}

// End ends all streams at once, and those that begin later: their clients connect again, to
// another process perhaps.
func (h *Hub) End() { h.end() }

// Shut ends all streams at once, and those that begin later until Shut(false).
func (h *Hub) Shut(shut bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case shut:
		h.cut()
	case h.open.Err() != nil:
		h.open, h.cut = context.WithCancel(h.context)
	}
}

// Close ends all streams and waits for what reads for them.
func (h *Hub) Close() {
	h.mu.Lock() // no group begins any more
	h.end()
	h.mu.Unlock()
	h.work.Wait()
}

// Enter takes the place of one more stream of an address, which leave gives back. The error is
// [ErrAll] or [ErrAddress] where there is none.
func (h *Hub) Enter(address string) (leave func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.clients >= h.cfg.Most:
		return nil, ErrAll
	case h.byAddress[address] >= h.cfg.MostOfAddress:
		return nil, ErrAddress
	}
	h.clients++
	h.byAddress[address]++
	return sync.OnceFunc(func() { h.leave(address) }), nil
}

// opened returns what streams run in now.
func (h *Hub) opened() context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

func (h *Hub) leave(address string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clients--
	if h.byAddress[address]--; h.byAddress[address] == 0 {
		delete(h.byAddress, address)
	}
}

// read runs a function as soon as there is a place for it.
func (h *Hub) read(ctx context.Context, f func() error) error {
	select {
	case h.reading <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-h.reading }()
	return f()
}

// maxRemembered is how many bytes all groups remember together.
const maxRemembered = 16 << 20

// share returns how many bytes a group may remember. The caller has the lock.
func (h *Hub) share() int { return maxRemembered / max(1, len(h.groups)) }
