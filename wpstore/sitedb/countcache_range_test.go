package sitedb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// saveDated saves an event, and returns its id.
func (s *countedSite) saveDated(session *sitedb.Session, start string) (id int64) {
	s.t.Helper()
	err := write(context.Background(), session, func(tx *sitedb.Tx) (err error) {
		id, err = saveEvent(context.Background(), tx, "Event "+start, start)
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	return id
}

// moved gives an event other dates.
func moved(tx *sitedb.Tx, id int64, start string) error {
	ctx := context.Background()
	e, err := tx.PostEditor.Edit(ctx, id)
	if err != nil || e == nil {
		return err
	}
	begin, err := time.Parse(time.DateTime, start)
	if err != nil {
		return err
	}
	end := begin.Add(2 * time.Hour).Format(time.DateTime)
	for key, value := range map[string]string{"_EventStartDate": start, "_EventEndDate": end, "_EventStartDateUTC": start, "_EventEndDateUTC": end, "_EventTimezone": "UTC"} {
		e.Meta.Update(key, value)
	}
	if err := tx.PostEditor.Save(ctx, e); err != nil {
		return err
	}
	if err := tx.PostEditor.Flush(ctx, e); err != nil {
		return err
	}
	tx.Saved(true)
	return tx.Calendar.SyncEvent(ctx, e, func(_, local string) (time.Time, bool) {
		at, err := time.Parse(time.DateTime, local)
		return at, err == nil
	})
}

// TestVerifiedRange: a write compares its event with the range that another has left, but
// reads all events where the first or the last one has changed, or anybody else may have
// changed something. An event that no log shows tells the two apart.
func TestVerifiedRange(t *testing.T) {
	const reads, compares = true, false
	s := newCountedSite(t)
	s.lockRows()
	var first int64 // the earliest event that a log has shown
	for i, c := range []struct {
		name string
		do   func(s *countedSite, session *sitedb.Session)
		want bool
	}{
		{"a later event", func(s *countedSite, session *sitedb.Session) { s.saveDated(session, "2027-06-01 10:00:00") }, compares},
		{"nobody knows what changes", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error { tx.Saved(true); return nil }))
		}, reads},
		{"the first event is saved again", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error { return moved(tx, first, "2026-12-25 10:00:00") }))
		}, compares},
		{"the first event moves forward", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error { return moved(tx, first, "2026-12-24 10:00:00") }))
		}, compares},
		{"the first event moves back", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error { return moved(tx, first, "2027-05-01 10:00:00") }))
		}, reads},
		{"the first event is a draft", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error {
				e, err := tx.PostEditor.Edit(t.Context(), first)
				if err != nil {
					return err
				}
				e.Status = "draft"
				tx.Saved(true)
				return tx.PostEditor.Save(t.Context(), e)
			}))
		}, reads},
		{"the first event is deleted", func(s *countedSite, session *sitedb.Session) {
			s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error {
				e, err := tx.PostEditor.Edit(t.Context(), first)
				if err != nil {
					return err
				}
				tx.Saved(true)
				return tx.PostEditor.Delete(t.Context(), e, true)
			}))
		}, reads},
		{"another's event moves to the front", func(s *countedSite, session *sitedb.Session) {
			s.exec("UPDATE wp_tec_occurrences SET start_date_utc = '2026-12-01 10:00:00' WHERE post_id = 500")
			s.awaitFeed()
			s.saveDated(session, "2027-06-01 10:00:00")
			if s.number("SELECT COUNT(*) FROM wp_options WHERE option_value LIKE '%2026-12-01 10:00:00%'") == 0 {
				t.Error("the range lacks an event that another has moved")
			}
		}, compares},
		{"another's first event moves back", func(s *countedSite, session *sitedb.Session) {
			s.exec("UPDATE wp_tec_occurrences SET start_date_utc = '2027-03-01 10:00:00' WHERE post_id = 500")
			s.awaitFeed()
			s.saveDated(session, "2027-06-01 10:00:00")
		}, reads},
		{"many events change", func(s *countedSite, session *sitedb.Session) {
			for id := 2000; id < 2200; id++ {
				s.exec(fmt.Sprintf(`INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at)
					VALUES (%d, %d, '2027-03-01', '2027-03-01', '2027-03-01', '2027-03-01', 0, '%d', '2027-03-01')`, id, id, id))
			}
			s.awaitFeed()
			s.saveDated(session, "2027-06-01 10:00:00")
		}, reads},
		{"a post becomes private", func(s *countedSite, session *sitedb.Session) {
			s.exec("UPDATE wp_posts SET post_status = 'private' WHERE ID = 500")
			s.awaitFeed()
			s.saveDated(session, "2027-06-01 10:00:00")
		}, reads},
		{"the option changes", func(s *countedSite, session *sitedb.Session) {
			s.exec("UPDATE wp_options SET option_value = REPLACE(option_value, '2027', '2028') WHERE option_name = 'tribe_events_calendar_options'")
			s.saveDated(session, "2027-06-01 10:00:00")
		}, reads},
		{"the request isn't proved", func(s *countedSite, _ *sitedb.Session) { s.saveDated(s.db.Session(nil), "2027-06-01 10:00:00") }, reads},
		{"the log isn't followed", func(s *countedSite, session *sitedb.Session) {
			s.stop()
			s.saveDated(session, "2027-06-01 10:00:00")
		}, reads},
	} {
		s.exec("UPDATE wp_posts SET post_status = 'trash' WHERE post_type = 'tribe_events' AND ID <> 500")
		s.awaitFeed()
		first = s.saveDated(s.caughtUp(), "2026-12-25 10:00:00")
		s.awaitFeed()
		s.rangeIsRight(t, c.name+": before")
		hidden := 1_000_000 * (i + 1)
		s.unlogged(fmt.Sprintf(`INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
			VALUES (%d, 'tribe_events', 'publish', 'Hidden', 'hidden-%d', '', '', '', '', '')`, hidden, hidden),
			fmt.Sprintf(`INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at)
			VALUES (%d, %d, '2020-01-01 10:00:00', '2020-01-01 10:00:00', '2020-01-01 12:00:00', '2020-01-01 12:00:00', 7200, '%d', '2020-01-01 12:00:00')`, hidden, hidden, hidden))
		c.do(s, s.caughtUp())
		found := s.number("SELECT COUNT(*) FROM wp_options WHERE option_name = 'tribe_events_calendar_options' AND option_value LIKE '%2020-01-01 10:00:00%'") > 0
		if found != c.want {
			t.Errorf("%s: reads all events: %v", c.name, found)
		}
		s.unlogged(fmt.Sprintf("DELETE FROM wp_tec_occurrences WHERE post_id = %d", hidden))
	}
}

// TestVerifiedRangeBesideOthers: whatever two processes and raw SQL write beside each other,
// the range is right after one more write.
func TestVerifiedRangeBesideOthers(t *testing.T) {
	s := newCountedSite(t)
	s.lockRows()
	tracker := invalidation.NewTracker()
	cfg := s.cfg
	cfg.Tracker = tracker
	second, err := sitedb.Open(t.Context(), cfg)
	s.OK(err)
	t.Cleanup(func() { second.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- second.Feed.Follow(ctx, tracker, changefeed.Observer{}) }()
	t.Cleanup(func() { cancel(); s.OK(<-ended) })
	await(t, "following", tracker.Active)
	caughtUp := func(process int) *sitedb.Session {
		if process == 0 {
			return s.caughtUp()
		}
		session := second.Session(nil)
		session.CaughtUp()
		return session
	}
	var mu sync.Mutex
	events := []int64{untagged}
	anyEvent := func(rng *rand.Rand) int64 {
		mu.Lock()
		defer mu.Unlock()
		return events[rng.IntN(len(events))]
	}
	ours := func(process int, rng *rand.Rand) {
		start := fmt.Sprintf("2027-%02d-%02d 10:00:00", 1+rng.IntN(12), 1+rng.IntN(28))
		err := write(context.Background(), caughtUp(process), func(tx *sitedb.Tx) error {
			switch id := anyEvent(rng); rng.IntN(5) {
			case 0, 1:
				id, err := saveEvent(context.Background(), tx, "Event", start)
				mu.Lock()
				defer mu.Unlock()
				events = append(events, id)
				return err
			case 2, 3:
				return moved(tx, id, start)
			default:
				e, err := tx.PostEditor.Edit(context.Background(), id)
				if err != nil || e == nil {
					return err
				}
				tx.Saved(true)
				if e.Status == "trash" {
					return tx.PostEditor.Delete(context.Background(), e, true)
				}
				return tx.PostEditor.Trash(context.Background(), e, "trash")
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
	for round := range uint64(6) {
		var group sync.WaitGroup
		for writer := range uint64(6) {
			group.Go(func() {
				rng := rand.New(rand.NewPCG(round, writer))
				for range 8 {
					ours(int(writer%2), rng)
				}
			})
		}
		group.Go(func() {
			rng := rand.New(rand.NewPCG(round, 100))
			for range 8 * (round % 2) { // every other round is ours alone
				_, err := s.db.SQL().Exec([]string{
					"UPDATE wp_posts SET post_status = 'publish' WHERE ID = ?", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = ?",
					"UPDATE wp_tec_occurrences SET start_date_utc = start_date_utc - INTERVAL 40 DAY WHERE post_id = ?",
				}[rng.IntN(3)], anyEvent(rng))
				if err != nil {
					t.Log(err) // a deadlock
				}
				time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
			}
		})
		for _, db := range []*sitedb.DB{s.db, second} {
			group.Go(func() {
				for range 10 {
					s.OK(db.VerifyCounts(t.Context(), 0))
				}
			})
		}
		group.Wait()
		if round%2 == 1 {
			s.awaitFeed()
			await(t, "caught up", func() bool { return second.Feed.CatchUp(t.Context()) == nil })
			s.saveDated(caughtUp(int(round/2)%2), "2027-06-15 10:00:00")
		}
		s.rangeIsRight(t, fmt.Sprint("round ", round))
	}
}
