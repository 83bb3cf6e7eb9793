package systemtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// documentedRefusals are the errors that concurrent writers may get.
var documentedRefusals = map[string]bool{
	"400 term_exists":        true, // another writer has just created it
	"410 event-is-in-trash":  true, // another writer has just trashed it
	"400 rest_invalid_param": true, // the term has just been deleted
}

// besideUs is a crowd of writers next to a WordPress that changes its own rows and ours at the
// same time.
type besideUs struct {
	*writeSite
	check *integrity
	until time.Time
	// patient tolerates 503, because on a slow machine all attempts of a write may fail.
	patient bool

	mu      sync.Mutex
	events  []int64
	answers map[string]int
	changes atomic.Int64 // by WordPress
	marked  atomic.Int64 // the last value that WordPress has written to the calendar's options
}

// TestWritersBesideWordPress lets 64 clients write for the duration CALBRIDGE_WRITERS_FOR
// while SQL statements change rows as WordPress does: one by one without transactions, and in
// transactions that lock in another order.
func TestWritersBesideWordPress(t *testing.T) {
	const writers, wordpresses = 64, 4
	length, patient := 4*time.Second, true
	if d, err := time.ParseDuration(os.Getenv("CALBRIDGE_WRITERS_FOR")); err == nil {
		length, patient = d, false
	}
	s := &besideUs{writeSite: newWriteSite(t, "mariadb", func(c *rest.Config) { c.Compat = api.Safe }), answers: map[string]int{}, events: []int64{45, 48, 70}, patient: patient}
	s.check = newIntegrity(t, s.db)
	s.until = time.Now().Add(length)
	var everybody sync.WaitGroup
	for i := range writers {
		everybody.Go(func() { s.client(i) })
	}
	for i := range wordpresses {
		everybody.Go(func() { s.wordpress(i) })
	}
	everybody.Wait()
	for answer, n := range s.answers {
		t.Logf("%6d %s", n, answer)
	}
	t.Logf("%6d changes by SQL, %s", s.changes.Load(), length)
	if s.answers["POST /events 201"] == 0 || s.changes.Load() == 0 {
		t.Error("nothing was written")
	}
	for _, fault := range s.check.broken(t) {
		t.Error(fault)
	}
	// No change of WordPress to the options was lost.
	if got := php.ToInt(s.check.option(t, "tribe_events_calendar_options").At("fromWordPress")); got != s.marked.Load() {
		t.Errorf("the options hold %d, WordPress has written %d", got, s.marked.Load())
	}
	for _, row := range s.check.rows(t, `SELECT post_id, meta_value FROM wp_postmeta WHERE meta_key = '_plugin_counter'`) {
		if n := len(s.check.rows(t, `SELECT meta_id FROM wp_postmeta WHERE post_id = ? AND meta_key = '_plugin_row'`, row[0])); fmt.Sprint(n) != row[1] {
			t.Errorf("post %s: %d rows of a plugin, want %s", row[0], n, row[1])
		}
	}
}

func (s *besideUs) client(number int) {
	as := []string{"admin", "editor1"}[number%2]
	for time.Now().Before(s.until) {
		method, path, body := "POST", "/events", `{`+testEvent+`, "categories": ["At once", 3], "tags": ["also at once", 15], "venue": {"venue": "At once"}, "organizer": [{"organizer": "At once"}]}`
		switch rand.IntN(9) {
		case 0, 1, 2:
			method, path = "PUT", fmt.Sprintf("/events/%d", s.someEvent(false))
			body = `{"title": "Changed", "slug": "changed", "start_date": "2028-01-05 19:00", "end_date": "2029-01-05 21:00", "categories": [3], "tags": ["another", 15]}`
		case 3:
			id := s.someEvent(true)
			if id == 0 {
				continue
			}
			method, path, body = "DELETE", fmt.Sprintf("/events/%d", id), ""
		case 4:
			path, body = "/venues", fmt.Sprintf(`{"venue": "Place", "description": "%d %d"}`, number, time.Now().UnixNano())
		case 5:
			path, body = "/categories", fmt.Sprintf(`{"name": "Sort %d", "parent": 3}`, rand.IntN(1000))
		case 6:
			path, body = "/tags", `{"name": "Once only"}`
		}
		status, answer := s.send(as, method, path, body)
		key := fmt.Sprintf("%d", status)
		if status >= 300 {
			key += fmt.Sprint(" ", answer["code"])
			if !documentedRefusals[key] && !(s.patient && status == http.StatusServiceUnavailable) {
				s.t.Errorf("%s %s: %s %v", method, path, key, answer["message"])
			}
		}
		s.mu.Lock()
		s.answers[method+" "+digits.ReplaceAllString(path, "/{id}")+" "+key]++
		if id, ok := answer["id"].(float64); ok && status == 201 && path == "/events" {
			s.events = append(s.events, int64(id))
		}
		s.mu.Unlock()
	}
}

// someEvent returns one of the events. If forget is true, it is also removed from the list,
// because it will be trashed.
func (s *besideUs) someEvent(forget bool) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := rand.IntN(len(s.events))
	id := s.events[i]
	if forget && i < 10 {
		return 0
	}
	if forget {
		s.events = append(s.events[:i], s.events[i+1:]...)
	}
	return id
}

// wordpress changes rows by SQL.
func (s *besideUs) wordpress(number int) {
	ctx := context.Background()
	conn, err := s.check.db.Conn(ctx)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer conn.Close()
	run := func(query string, args ...any) (sql.Result, error) { return conn.ExecContext(ctx, query, args...) }
	made, err := run(`INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, to_ping, pinged, post_content_filtered, post_type, guid, post_modified, post_modified_gmt)
		VALUES (1, NOW(), NOW(), 'x', 'WordPress', '', 'publish', ?, '', '', '', 'tribe_events', 'x', NOW(), NOW())`, fmt.Sprintf("wordpress-own-%d", number))
	if err != nil {
		s.t.Error(err)
		return
	}
	own, _ := made.LastInsertId()
	if _, err := run(`INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ?, term_taxonomy_id FROM wp_term_taxonomy WHERE term_id IN (3, 15)`, own); err != nil {
		s.t.Error(err)
	}
	recount := func() error {
		_, err := run(`UPDATE wp_term_taxonomy tt SET count = (SELECT COUNT(*) FROM wp_term_relationships tr JOIN wp_posts p ON p.ID = tr.object_id
			WHERE tr.term_taxonomy_id = tt.term_taxonomy_id AND p.post_status = 'publish' AND p.post_type IN ('post', 'tribe_events', 'tec_calendar_embed')) WHERE term_id IN (3, 15)`)
		return err
	}
	for step := 0; time.Now().Before(s.until); step++ {
		post := s.someEvent(false)
		var err error
		switch step % 5 {
		case 0: // an editor publishes or withdraws an event
			_, err = run(`UPDATE wp_posts SET post_status = IF(post_status = 'publish', 'draft', 'publish') WHERE ID = ?`, own)
		case 1: // a plugin stores data about our events
			if number > 0 {
				continue
			}
			err = s.inTransaction(ctx, conn, func(tx *sql.Tx) error {
				if _, err := tx.Exec(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_plugin_row', 'x')`, post); err != nil {
					return err
				}
				r, err := tx.Exec(`UPDATE wp_postmeta SET meta_value = meta_value + 1 WHERE post_id = ? AND meta_key = '_plugin_counter'`, post)
				if err != nil {
					return err
				}
				if n, _ := r.RowsAffected(); n == 0 {
					_, err = tx.Exec(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ?, '_plugin_counter', COUNT(*) FROM wp_postmeta WHERE post_id = ? AND meta_key = '_plugin_row'`, post, post)
				}
				return err
			})
		case 2: // locks in another order than ours
			err = s.inTransaction(ctx, conn, func(tx *sql.Tx) error {
				for _, q := range []string{`UPDATE wp_term_taxonomy SET description = description WHERE term_id IN (3, 15)`,
					`UPDATE wp_options SET option_value = option_value WHERE option_name = 'tribe_last_save_post'`} {
					if _, err := tx.Exec(q); err != nil {
						return err
					}
				}
				_, err := tx.Exec(`UPDATE wp_posts SET comment_count = comment_count + 1 WHERE ID = ?`, post)
				return err
			})
		case 3: // an administrator saves the calendar's settings
			err = s.mark(ctx, conn)
		case 4: // a plugin also writes to many rows at once, which locks all events
			where := fmt.Sprintf(`ID IN (%d, %d, %d)`, post, s.someEvent(false), own)
			if step%50 == 4 {
				where = `post_type = 'tribe_events' ORDER BY ID DESC LIMIT 5`
			}
			_, err = run(`UPDATE wp_posts SET comment_count = comment_count + 1 WHERE ` + where)
		}
		if !conflict(s.t, err) && err == nil {
			s.changes.Add(1)
		}
		time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
	}
	for conflict(s.t, recount()) { // WordPress does this at the end of its request
	}
}

// mark changes an option next to those that writes of events change.
func (s *besideUs) mark(ctx context.Context, conn *sql.Conn) error {
	next := int64(0)
	err := s.inTransaction(ctx, conn, func(tx *sql.Tx) error {
		var text string
		if err := tx.QueryRow(`SELECT option_value FROM wp_options WHERE option_name = 'tribe_events_calendar_options' FOR UPDATE`).Scan(&text); err != nil {
			return err
		}
		options, ok := phpserial.Maybe(text).(*php.Array)
		if !ok {
			return fmt.Errorf("the calendar's options are broken: %.200s", text)
		}
		options = options.Clone()
		next = php.ToInt(options.At("fromWordPress")) + 1
		options.SetString("fromWordPress", next)
		_, err := tx.Exec(`UPDATE wp_options SET option_value = ? WHERE option_name = 'tribe_events_calendar_options'`, phpserial.Serialize(options))
		return err
	})
	for was := s.marked.Load(); err == nil && was < next; was = s.marked.Load() {
		s.marked.CompareAndSwap(was, next)
	}
	return err
}

func (s *besideUs) inTransaction(ctx context.Context, conn *sql.Conn, do func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// conflict reports whether a statement lost against a concurrent one. Any other error fails
// the test.
func conflict(t *testing.T, err error) bool {
	var e *mysql.MySQLError
	if errors.As(err, &e) && (e.Number == 1213 || e.Number == 1205 || e.Number == 1020) {
		return true
	}
	if err != nil {
		t.Error(err)
	}
	return false
}
