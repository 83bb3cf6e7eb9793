package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// maxStreams limits the number of pages that are open at once. backlog is the number of
// messages that a slow page may fall behind before its stream is closed; the page reconnects
// by itself.
const (
	maxStreams = 64
	backlog    = 16
)

// streams holds the open streams of server-sent events.
type streams struct {
	mu     sync.Mutex
	open   map[chan []byte]bool
	closed bool
}

// any reports whether a stream is open.
func (s *streams) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open) > 0
}

// send sends an event to all streams.
func (s *streams) send(event string, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == 0 {
		return
	}
	text, err := json.Marshal(data)
	if err != nil { // JSON cannot represent some figures, such as NaN
		return
	}
	message := bytes.Join([][]byte{[]byte("event: " + event + "\ndata: "), text, []byte("\n\n")}, nil)
	for to := range s.open {
		select {
		case to <- message:
		default:
			delete(s.open, to)
			close(to)
		}
	}
}

// close ends all streams.
func (s *streams) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for to := range s.open {
		close(to)
	}
	s.open, s.closed = nil, true
}

// enter opens a stream; ok is false if too many are open.
func (s *streams) enter() (messages chan []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.open) >= maxStreams {
		return nil, false
	}
	if s.open == nil {
		s.open = map[chan []byte]bool{}
	}
	messages = make(chan []byte, backlog)
	s.open[messages] = true
	return messages, true
}

func (s *streams) leave(messages chan []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[messages] {
		delete(s.open, messages)
		close(messages)
	}
}

// serve sends events until the client closes the connection.
func (s *streams) serve(w http.ResponseWriter, r *http.Request) {
	messages, ok := s.enter()
	if !ok {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "Too many consoles are open.", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(messages)
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	write := func(text []byte) bool {
		_ = control.SetWriteDeadline(time.Now().Add(sampleEvery + 10*time.Second)) // this deadline is for one message; the server's is for a whole response
		_, err := w.Write(text)
		return err == nil && control.Flush() == nil
	}
	for ok = write([]byte("retry: 2000\n\n")); ok; {
		select {
		case message, open := <-messages:
			ok = open && write(message)
		case <-r.Context().Done():
			return
		}
	}
}
