package invalidation

import (
	"testing"
	"time"
)

func TestAging(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	site, other := Tag{Kind: Site}, Tag{Kind: Posts}
	following, suspended := func(t *Tracker) {}, func(t *Tracker) { t.Suspend() }
	for name, c := range map[string]struct {
		aging  Aging
		meet   func(*Tracker) // nil: no tracker
		change Tag
		age    time.Duration
		denied bool // the proof
		want   State
	}{
		"followed, however old":        {aging: Aging{Complete: true, MaxAge: time.Second}, meet: following, change: other, age: time.Hour, want: Current},
		"followed, changed":            {aging: Aging{Complete: true, MaxAge: time.Second}, meet: following, change: site, want: Outdated},
		"followed, not proved":         {aging: Aging{Complete: true, MaxAge: time.Second}, meet: following, denied: true, want: Outdated},
		"suspended, young":             {aging: Aging{Complete: true, MaxAge: time.Second}, meet: suspended, change: site, want: Current},
		"suspended, old":               {aging: Aging{Complete: true, MaxAge: time.Second}, meet: suspended, age: time.Second, want: Old},
		"suspended, not proved":        {aging: Aging{Complete: true, MaxAge: time.Second}, meet: suspended, denied: true, want: Outdated},
		"notices, young":               {aging: Aging{MaxAge: time.Second}, meet: following, change: other, want: Current},
		"notices, changed":             {aging: Aging{MaxAge: time.Second}, meet: following, change: site, want: Outdated},
		"notices, one may be lost":     {aging: Aging{MaxAge: time.Second}, meet: following, age: time.Second, want: Old},
		"no cache, young":              {aging: Aging{MaxAge: time.Second}, age: 999 * time.Millisecond, want: Current},
		"no cache, old":                {aging: Aging{MaxAge: time.Second}, age: time.Second, want: Old},
		"no cache, each request reads": {want: Outdated},
	} {
		tracker := NewTracker()
		tracker.Resume(true)
		at := now
		c.aging.Now = func() time.Time { return at }
		if c.meet != nil {
			c.aging.Tracker = tracker
		}
		stamp := c.aging.Stamp()
		if c.change != (Tag{}) {
			tracker.Invalidate(c.change)
		}
		if c.meet != nil {
			c.meet(tracker)
		}
		at = now.Add(c.age)
		if got := c.aging.State(stamp, !c.denied, site); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
