package systemtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// mirrorEvents is the initial number of events, with three venues and two organizers.
const mirrorEvents = 120

// mirrorWriters is the number of concurrent writers.
const mirrorWriters = 2

// mirrorLoad changes a generated calendar by SQL, as WordPress does, and through the API.
type mirrorLoad struct {
	t       *testing.T
	db      *sql.DB
	seed    uint64
	target  *atomic.Pointer[url.URL] // of the server, which may be down
	made    atomic.Int64
	byAPI   atomic.Int64
	serial  atomic.Int64
	stopped atomic.Bool
	down    atomic.Bool // whether the server is down

	mu     sync.Mutex
	events []int64 // existing and former events
	status map[string]int
}

func newMirrorLoad(t *testing.T, db wptest.Database, seed uint64, target *atomic.Pointer[url.URL]) *mirrorLoad {
	t.Helper()
	conn, err := sql.Open("mysql", db.DSN)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	l := &mirrorLoad{t: t, db: conn, seed: seed, target: target, status: map[string]int{}}
	for i := range int64(mirrorEvents) {
		l.events = append(l.events, synthetic.FirstEvent+i)
	}
	return l
}

// answers returns how often the API returned each outcome.
func (l *mirrorLoad) answers() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.status)
}

// run makes changes until their total number is reached.
func (l *mirrorLoad) run(writer int, until int64) {
	r := rand.New(rand.NewPCG(l.seed, uint64(until)<<8+uint64(writer)))
	for l.made.Load() < until && !l.stopped.Load() {
		if r.IntN(3) > 0 || !l.ask(r) {
			if err := l.change(r); err != nil && !strings.Contains(err.Error(), "Deadlock") {
				l.t.Error(err)
				return
			}
		}
		l.made.Add(1)
		pause := time.Duration(r.IntN(30)) * time.Millisecond
		if l.down.Load() {
			pause *= 8 // most changes should happen while both processes run
		}
		time.Sleep(pause)
	}
}

func (l *mirrorLoad) event(r *rand.Rand) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events[r.IntN(len(l.events))]
}

func (l *mirrorLoad) add(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, id)
}

// title returns a unique title.
func (l *mirrorLoad) title(kind string) string { return fmt.Sprint(kind, " ", 1000+l.serial.Add(1)) }

func day(r *rand.Rand) time.Time {
	return time.Date(2026, 1, 1, 18, 0, 0, 0, time.UTC).AddDate(0, 0, r.IntN(720))
}

// ask writes through the API. It reports whether that changed something.
func (l *mirrorLoad) ask(r *rand.Rand) bool {
	method, path, body := http.MethodPost, fmt.Sprint("/events/", l.event(r)), map[string]any{}
	switch r.IntN(8) {
	case 0:
		start := day(r)
		path = "/events"
		body = map[string]any{"title": l.title("Nová"), "start_date": start.Format(time.DateTime), "end_date": start.Add(time.Hour).Format(time.DateTime), "categories": []any{1 + r.IntN(6)}, "venue": 1001 + r.IntN(3)}
	case 1:
		method = http.MethodDelete
	case 2:
		path, body["venue"] = fmt.Sprint("/venues/", 1001+r.IntN(3)), l.title("Sál")
	case 3:
		path, body["name"] = fmt.Sprint("/categories/", 1+r.IntN(6)), l.title("Rubrika")
	case 4:
		body["status"] = []string{"publish", "publish", "draft", "private"}[r.IntN(4)]
	default:
		body["title"], body["categories"], body["organizer"] = l.title("Titul"), []any{1 + r.IntN(6)}, 3001+r.IntN(2)
	}
	data, _ := json.Marshal(body)
	req, err := http.NewRequest(method, l.target.Load().String()+mirrorAPI+path, strings.NewReader(string(data)))
	if err != nil {
		l.t.Error(err)
		return false
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth("editor", "secret")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		l.answered("none")
		return false // the server is down, or was killed: before the change, or after it
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	l.answered(fmt.Sprint(res.StatusCode))
	if err != nil || res.StatusCode >= 300 {
		if res.StatusCode >= 500 && res.StatusCode != http.StatusServiceUnavailable {
			l.t.Errorf("%s %s: %s %.300s", method, path, res.Status, answer)
		}
		return false
	}
	var made struct{ ID int64 }
	if path == "/events" && json.Unmarshal(answer, &made) == nil {
		l.add(made.ID)
	}
	l.byAPI.Add(1)
	return true
}

func (l *mirrorLoad) answered(how string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.status[how]++
}

// change makes a change of one or more statements, each in its own transaction, as WordPress
// does.
func (l *mirrorLoad) change(r *rand.Rand) error {
	id := l.event(r)
	meta := func(key string, value any) error {
		return l.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?", value, id, key)
	}
	switch n := r.IntN(1000); {
	case n < 300:
		return l.exec("UPDATE wp_posts SET post_title = ?, post_modified_gmt = '2026-11-21 10:00:00' WHERE ID = ?", l.title("Titul"), id)
	case n < 500:
		return l.exec("UPDATE wp_posts SET post_status = ? WHERE ID = ?", []string{"publish", "publish", "publish", "draft", "trash", "private"}[r.IntN(6)], id)
	case n < 530:
		return l.exec("UPDATE wp_posts SET post_password = ? WHERE ID = ?", []string{"", "", "sezam"}[r.IntN(3)], id)
	case n < 650:
		date := day(r).Format(time.DateTime)
		if err := meta("_EventStartDate", date); err != nil {
			return err
		}
		return l.exec("UPDATE wp_tec_occurrences SET start_date = ?, start_date_utc = ?, end_date = ?, end_date_utc = ? WHERE post_id = ?", date, date, date, date, id)
	case n < 720:
		return meta("_EventVenueID", 1001+r.IntN(3))
	case n < 770:
		return meta("_EventCost", r.IntN(1000))
	case n < 820:
		term := 1 + r.IntN(12)
		if err := l.exec("INSERT IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (?, ?)", id, term); err != nil {
			return err
		}
		return l.exec("UPDATE wp_term_taxonomy SET count = count + 1 WHERE term_taxonomy_id = ?", term)
	case n < 860:
		return l.exec("DELETE FROM wp_term_relationships WHERE object_id = ? AND term_taxonomy_id = ?", id, 1+r.IntN(12))
	case n < 890:
		return l.exec("UPDATE wp_terms SET name = ? WHERE term_id = ?", l.title("Druh"), 1+r.IntN(12))
	case n < 940:
		return l.exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", l.title("Sál"), []int{1001, 1002, 1003, 3001, 3002}[r.IntN(5)])
	case n < 960:
		return l.copy(id)
	case n < 990:
		return l.remove(id)
	case n < 993:
		return l.exec("UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = '_wp_attached_file'", l.title("2026/")+".jpg", 5001+r.IntN(20))
	case n < 995:
		return l.exec("UPDATE wp_options SET option_value = ? WHERE option_name = 'blogname'", l.title("Obec"))
	default:
		return l.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, '_tribe_featured', '1')", id)
	}
}

// copy creates an event as a copy of another one.
func (l *mirrorLoad) copy(id int64) error {
	const columns = "post_author, post_date, post_date_gmt, post_content, post_excerpt, post_status, post_type, post_modified, post_modified_gmt, to_ping, pinged, post_content_filtered"
	title := l.title("Kopie")
	res, err := l.db.ExecContext(l.t.Context(), "INSERT INTO wp_posts (post_title, post_name, "+columns+") SELECT ?, ?, "+columns+" FROM wp_posts WHERE ID = ?", title, strings.ToLower(strings.ReplaceAll(title, " ", "-")), id)
	if err != nil {
		return err
	}
	made, err := res.LastInsertId()
	if err != nil || made == 0 {
		return err // the event no longer exists
	}
	l.add(made)
	if err := l.exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ?, meta_key, meta_value FROM wp_postmeta WHERE post_id = ?", made, id); err != nil {
		return err
	}
	return l.exec("INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash) SELECT ?, ?, start_date, end_date, start_date_utc, end_date_utc, UUID() FROM wp_tec_occurrences WHERE post_id = ?", made, made, id)
}

// remove deletes an event permanently.
func (l *mirrorLoad) remove(id int64) error {
	for _, table := range []string{"wp_postmeta WHERE post_id", "wp_term_relationships WHERE object_id", "wp_tec_occurrences WHERE post_id", "wp_tec_events WHERE post_id", "wp_posts WHERE ID"} {
		if err := l.exec("DELETE FROM "+table+" = ?", id); err != nil {
			return err
		}
	}
	return nil
}

func (l *mirrorLoad) exec(statement string, args ...any) error {
	_, err := l.db.ExecContext(l.t.Context(), statement, args...)
	return err
}
