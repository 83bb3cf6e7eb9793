package main

import (
	"context"
	"time"
)

// warmUpClients is the number of connections that create events before the measurement.
const warmUpClients = 4

// measureProgram measures all kinds of writes with each number of clients.
func (s *writtenSite) measureProgram(ctx context.Context, name, program string) error {
	server, err := s.start(ctx, program, s.dsn)
	if err != nil {
		return err
	}
	defer server.stop()
	for _, clients := range s.clients {
		// The server recounts terms after rows were removed by SQL, as after a write by
		// WordPress.
		if err := s.warmUp(ctx, server.addr, max(s.least, clients)); err != nil {
			return err
		}
		var ids []int64
		for _, k := range s.kinds {
			got := make([]int64, max(s.least, clients))
			r, err := s.timed(server.cmd.Process.Pid, func() (result, error) { return s.burst(ctx, server.addr, k, clients, ids, got) })
			if err != nil {
				return err
			}
			ids = got
			s.note(k.name, name, r)
		}
		if err := s.clean(ctx); err != nil {
			return err
		}
	}
	return nil
}

// warmUp creates n events that aren't measured, so that a program has venues, terms and their
// counts in memory. Their titles differ from the measured ones; otherwise the slugs would be
// taken.
func (s *writtenSite) warmUp(ctx context.Context, addr string, n int) error {
	post := writeKinds()[0]
	post.fields = func(i, events int) map[string]any { return eventFields(i, events, "Zkouška") }
	_, err := s.send(ctx, addr, post, warmUpClients, n, nil)
	return err
}

// timed runs a load and adds to its result the CPU time of the database and of the program.
// program is 0 if there is none.
func (s *writtenSite) timed(program int, load func() (result, error)) (r result, err error) {
	var before [2]time.Duration
	for i, pid := range []int{program, s.database} {
		if before[i], err = processTime(pid); err != nil {
			return r, err
		}
	}
	if r, err = load(); err != nil {
		return r, err
	}
	for i, cpu := range []*float64{&r.CPU, &r.DatabaseCPU} {
		after, err := processTime([]int{program, s.database}[i])
		if err != nil {
			return r, err
		}
		*cpu = milliseconds(after-before[i]) / float64(r.Requests)
	}
	return r, nil
}

// measureFloor measures all kinds of writes on the floors.
func (s *writtenSite) measureFloor(ctx context.Context) error {
	for _, clients := range s.clients {
		for _, k := range s.kinds {
			n := max(s.least, clients)
			r, err := s.timed(0, func() (result, error) {
				return burst(ctx, clients, n, func(int) (actor, error) { return s.floors[k.name].actor(ctx, n) })
			})
			if err != nil {
				return err
			}
			s.note(k.name, floorName, r)
		}
		if err := s.clean(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *writtenSite) note(kind, server string, r result) {
	r.Name, r.Server = kind, server
	key := writeKey{kind, server, r.Concurrency}
	s.figures[key] = append(s.figures[key], r)
}
