package wordpress_test

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// marks returns the numbers of the notices that a receiver has, in order of arrival.
func (r *receiver) marks() (marks []notice.Mark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.got {
		marks = append(marks, n.Mark)
	}
	return marks
}

// awaitMarks waits for as many notices, and returns their numbers, sorted.
func (r *receiver) awaitMarks(t *testing.T, count int) []uint64 {
	t.Helper()
	var numbers []uint64
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		numbers = nil
		for _, m := range r.marks() {
			numbers = append(numbers, m.Number)
		}
		if len(numbers) >= count {
			break
		}
	}
	slices.Sort(numbers)
	if len(numbers) != count {
		t.Fatalf("%d notices, want %d: %v", len(numbers), count, numbers)
	}
	return numbers
}

// row returns the value of the site's counter in the database.
func (s *site) row() notice.Mark {
	s.t.Helper()
	var text string
	if err := s.db.QueryRow("SELECT option_value FROM wp_options WHERE option_name = ?", notice.SequenceOption).Scan(&text); err != nil {
		s.t.Fatal(err)
	}
	m, err := notice.ParseMark(text)
	if err != nil {
		s.t.Fatalf("%q: %v", text, err)
	}
	return m
}

// TestNumberedNotices checks that each notice has the next number, the same for all
// receivers, and that the database has the last one.
func TestNumberedNotices(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	one, two := freeAddress(t), freeAddress(t)
	s := newSite(t, "http://"+one+"/notice, http://"+two+"/notice")
	r1, r2 := newReceiver(t), newReceiver(t)
	server := listen(t, one, r1)
	defer func() { server.Close() }()
	defer listen(t, two, r2).Close()
	id := s.id(`wp_insert_post(['post_title' => 'Numbered', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	r1.forget()
	r2.forget()

	t.Run("one after the other", func(t *testing.T) {
		begin := s.row()
		for i := range 3 {
			s.php(`update_post_meta(%d, 'a', %d)`, id, i)
		}
		s.php(`get_post(%d)->post_title`, id) // changes nothing and takes no number
		want := []uint64{begin.Number + 1, begin.Number + 2, begin.Number + 3}
		for _, r := range []*receiver{r1, r2} {
			if got := r.awaitMarks(t, 3); !slices.Equal(got, want) || r.marks()[0].Epoch != begin.Epoch {
				t.Errorf("numbers %v, want %v of %s", got, want, begin.Epoch)
			}
		}
		if got := s.row().Number; got != want[2] {
			t.Errorf("the row has %d", got)
		}
	})
	t.Run("several processes at once", func(t *testing.T) {
		r1.forget()
		r2.forget()
		begin := s.row()
		const count = 24
		var clients sync.WaitGroup
		for i := range 6 {
			clients.Go(func() {
				for j := range count / 6 {
					s.php(`update_post_meta(%d, 'a', 'r%d.%d')`, id, i, j)
				}
			})
		}
		clients.Wait()
		for _, r := range []*receiver{r1, r2} {
			got := r.awaitMarks(t, count)
			for i, n := range got {
				if n != begin.Number+uint64(i)+1 {
					t.Fatalf("after %d: %v", begin.Number, got)
				}
			}
		}
	})
	t.Run("a plugin's transaction", func(t *testing.T) {
		r1.forget()
		begin := s.row()
		s.php(`[$GLOBALS['wpdb']->query('START TRANSACTION'), update_post_meta(%d, 'a', 'back'), $GLOBALS['wpdb']->query('ROLLBACK')]`, id)
		s.php(`update_post_meta(%d, 'a', 'forth')`, id)
		if got, want := r1.awaitMarks(t, 2), []uint64{begin.Number + 1, begin.Number + 2}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("a receiver is away", func(t *testing.T) {
		r1.forget()
		r2.forget()
		begin := s.row()
		server.Close()
		s.php(`update_post_meta(%d, 'a', 'away')`, id)
		server = listen(t, one, r1)
		s.php(`update_post_meta(%d, 'a', 'here')`, id)
		if got, want := r1.awaitMarks(t, 1), []uint64{begin.Number + 2}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		r2.awaitMarks(t, 2)
	})
	t.Run("one calbridge writes", func(t *testing.T) {
		r1.forget()
		r2.forget()
		tell(t, s, notice.Notice{Posts: []int64{id}, Options: []string{"blogname", "cron"}})
		for _, r := range []*receiver{r1, r2} {
			n := r.waitFor(t, func(n notice.Notice) bool {
				return slices.Contains(n.Posts, id) && slices.Equal(n.Options, []string{"blogname"})
			})
			if n.Number != s.row().Number {
				t.Errorf("number %d", n.Number)
			}
		}
	})
	t.Run("the row is gone, or broken", func(t *testing.T) {
		for _, how := range []string{"DELETE FROM wp_options WHERE option_name = ?", "UPDATE wp_options SET option_value = 'x' WHERE option_name = ?"} {
			before := s.row()
			s.sql(how, notice.SequenceOption)
			r1.forget()
			s.php(`update_post_meta(%d, 'a', %d)`, id, rand.Int32())
			r1.awaitMarks(t, 1)
			if m := r1.marks()[0]; m.Number != 1 || m.Epoch == before.Epoch || m != s.row() {
				t.Errorf("%s: %+v, the row has %+v", how, m, s.row())
			}
		}
		s.sql("DELETE FROM wp_options WHERE option_name = ?", notice.SequenceOption)
		c, err := notice.New(notice.Options{Site: s.url, Secret: secret, Timeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(t.Context())
		status, err := c.Status(t.Context())
		if err != nil || !strings.HasPrefix(status.Sequence, "0."+s.row().Epoch) {
			t.Errorf("%+v, %v", status, err)
		}
	})
	t.Run("a process is killed", func(t *testing.T) { // last, because PHP's server then has one worker less
		r1.forget()
		begin := s.row()
		resp, err := http.PostForm(s.url+"index.php", url.Values{"token": {s.token}, "probe": {fmt.Sprintf(`[update_post_meta(%d, 'a', 'killed'), exec('kill -9 ' . getmypid())]`, id)}})
		if err == nil {
			resp.Body.Close()
		}
		r1.silent(t)
		if got := s.row().Number; got != begin.Number+1 {
			t.Errorf("the row has %d after %d: the change is unseen", got, begin.Number)
		}
	})
	if log := s.read("php.log"); strings.Contains(log, "calbridge-companion") {
		t.Errorf("PHP complains:\n%s", log)
	}
}

// TestNoticesAreFollowed checks that cached data is never older than promised while
// WordPress changes posts and a third of its notices are lost.
func TestNoticesAreFollowed(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	address := freeAddress(t)
	s := newSite(t, "http://"+address+"/notice")
	tracker := invalidation.NewTracker()
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, s.dsn), Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	followed := cachesync.Start(cachesync.Config{Settings: settings.Cache{Mode: settings.CacheNotices, Size: 1 << 20, MaxAge: time.Hour}}, store, tracker, metrics.New(metrics.Build{}, metrics.Values{}).Caches, slog.New(slog.DiscardHandler))
	defer followed.Close()
	handler := notice.NewHandler(func() string { return secret }, followed.Invalidate, func(reason string) { t.Errorf("refused: %s", reason) })
	var lost atomic.Int64
	defer listen(t, address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rand.IntN(3) == 0 {
			lost.Add(1)
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(http.StatusNoContent) // as if it had arrived
			return
		}
		handler.ServeHTTP(w, r)
	})).Close()
	id := s.id(`wp_insert_post(['post_title' => 'Followed', 'post_status' => 'publish', 'post_type' => 'tribe_events'])`)
	for end := time.Now().Add(time.Minute); !tracker.Active(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never followed")
		}
	}
	tag := []invalidation.Tag{{Kind: invalidation.Post, ID: id}}
	slowest := time.Duration(0)
	for i := 0; i < 8 || lost.Load() == 0; i++ {
		since := tracker.Generation()
		s.php(`update_post_meta(%d, 'a', %d)`, id, i)
		changed := time.Now()
		for tracker.Fresh(since, tag) {
			if time.Since(changed) > time.Minute { // a slow machine is not a failure
				t.Fatalf("change %d is never noticed", i)
			}
			time.Sleep(10 * time.Millisecond)
		}
		slowest = max(slowest, time.Since(changed))
	}
	t.Logf("%d notices lost; the slowest change was noticed after %s", lost.Load(), slowest.Round(10*time.Millisecond))
}
