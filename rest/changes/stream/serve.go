package stream

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// Writer is where a stream goes. A write that takes too long fails with an error that matches
// [os.ErrDeadlineExceeded].
type Writer interface {
	io.Writer
	Flush() error
}

// Client is who gets a stream.
type Client struct {
	// Key is that of the list: clients with the same key share a Source.
	Key    string
	Source Source
	// From is where the client is. Recent says that nothing older than a moment is between it
	// and now. Gone, when not "", is why the client can't go on where it was: it then begins
	// at From.
	From   Cursor
	Recent bool
	Gone   Gone
}

// Serve sends a stream until its client leaves, its Context ends, or the hub ends it. The caller
// has its place, by [Hub.Enter].
func (h *Hub) Serve(ctx context.Context, w Writer, c Client) {
	open := h.opened()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(open, cancel)()
	o := h.cfg.Observer
	if o != nil {
		o.Opened()
	}
	s := &sending{hub: h, open: open, w: w, client: c, last: c.From}
	why := s.run(ctx)
	if o != nil {
		o.Closed(why)
	}
}

// sending is a stream on its way.
type sending struct {
	hub    *Hub
	open   context.Context // ends when the hub ends its streams
	w      Writer
	client Client
	last   Cursor // the last one whose id was sent
}

// run returns why the stream has ended.
func (s *sending) run(ctx context.Context) string {
	first := append(appendRetry(nil, retryTime()), '\n')
	if s.client.Gone != "" {
		first = appendReset(first, s.client.Gone, s.last)
	} else {
		first = appendID(first, s.last)
	}
	if err := s.write(first); err != nil {
		return s.why(err)
	}
	for recent := s.client.Recent; ; {
		g, q := s.hub.join(s.client.Key, s.client.Source, s.last, recent)
		if g != nil {
			defer g.leave(q)
			return s.follow(ctx, g, q)
		}
		var err error
		if recent, err = s.catchUp(ctx); err != nil {
			return s.why(err)
		}
	}
}

// catchUp sends what the client has missed, a page at a time. recent says that it has all.
func (s *sending) catchUp(ctx context.Context) (recent bool, err error) {
	for failed := time.Duration(0); ; {
		var page *Page
		var bytes []byte
		err := s.hub.read(ctx, func() (err error) {
			page, err = s.client.Source.After(ctx, s.last)
			var gone Gone
			if errors.As(err, &gone) {
				page = &Page{}
				if page.To, err = s.client.Source.Now(ctx); err == nil {
					bytes = appendReset(nil, gone, page.To)
				}
				return err
			}
			if err == nil {
				bytes = appendPage(nil, page)
			}
			return err
		})
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case errors.Is(err, ErrEnd):
			return false, err
		case err == nil:
			s.last = page.To
			if len(bytes) > 0 {
				err = s.write(bytes)
			}
			return !page.More, err
		}
		if failed += retryPause; failed >= s.hub.cfg.Heartbeat {
			failed = 0
			if err := s.write([]byte(heartbeat)); err != nil {
				return false, err
			}
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
		}
	}
}

// follow sends what the group sends.
func (s *sending) follow(ctx context.Context, g *group, q *queue) string {
	beat := time.NewTimer(s.hub.cfg.Heartbeat)
	defer beat.Stop()
	for {
		idle := false
		select {
		case <-q.signal:
		case <-beat.C:
			idle = true
		case <-ctx.Done():
			return s.why(ctx.Err())
		}
		chunks, to, ended := g.take(q)
		err := s.send(chunks)
		if err == nil && idle && len(chunks) == 0 {
			err = s.beat(to)
		}
		switch {
		case err != nil:
			return s.why(err)
		case ended != "":
			return ended
		case idle || len(chunks) > 0:
			beat.Reset(s.hub.cfg.Heartbeat)
		}
	}
}

func (s *sending) send(chunks []*chunk) error {
	for _, c := range chunks {
		if s.last.covers(c.to) { // it was ahead of the group
			continue
		}
		if _, err := s.w.Write(c.bytes); err != nil {
			return err
		}
		s.last = c.to
	}
	if len(chunks) == 0 {
		return nil
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	if o := s.hub.cfg.Observer; o != nil {
		for _, c := range chunks {
			if !c.reported.IsZero() {
				o.Sent(time.Since(c.reported))
			}
		}
	}
	return nil
}

// beat moves the client to where its group is: a position that is old is of less use.
func (s *sending) beat(to Cursor) error {
	if to == s.last {
		return s.write([]byte(heartbeat))
	}
	s.last = to
	return s.write(appendID(nil, to))
}

func (s *sending) write(b []byte) error {
	if _, err := s.w.Write(b); err != nil {
		return err
	}
	return s.w.Flush()
}

// why returns the reason for which an error ends the stream.
func (s *sending) why(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return EndedSlow
	case errors.Is(err, ErrEnd):
		return EndedList
	case s.open.Err() != nil:
		return EndedServer
	}
	return EndedByClient
}
