package proof

import (
	"context"
	"log/slog"
	"testing"
	"time"
)

// unobserved implements Observer.
type unobserved struct{}

func (unobserved) Ended(Ending)   {}
func (unobserved) Decided(Reason) {}

// TestFigures: shapes by state, and an age before the first comparison too.
func TestFigures(t *testing.T) {
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	p := New(Config{
		Settings: Settings{Comparisons: 1}, Now: func() time.Time { return at }, Observer: unobserved{}, Logger: slog.New(slog.DiscardHandler),
		Facts: func(context.Context) (Facts, error) { return Facts{}, nil },
	})
	p.book.open(Shape{Route: "/venues"})
	p.book.open(Shape{Route: "/events"}).same(&p.cfg.Settings, 1, at)
	p.book.open(Shape{Route: "/tags"}).differs([]string{"status"}, false, at)
	at = at.Add(time.Minute)
	f := FiguresOf(p)
	if f.Shapes[Proving] != 1 || f.Shapes[Proven] != 1 || f.Shapes[Differing] != 1 || f.Shapes[Unstable] != 0 || f.Age != time.Minute {
		t.Errorf("%+v", f)
	}
	p.latest.Store(at.UnixNano())
	at = at.Add(time.Second)
	if f := FiguresOf(p); f.Age != time.Second {
		t.Errorf("age %s", f.Age)
	}
}
