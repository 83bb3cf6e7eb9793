package rest

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"calbridge/rest/api"
)

// write writes by calbridge or by SQL.
func (m *changesModel) write() {
	if m.chance(20) {
		m.writeByAPI()
		return
	}
	m.run(m.statement())
}

// run runs statements, in one transaction or each in its own, as WordPress does.
func (m *changesModel) run(statements []string) {
	m.note("%s", strings.Join(statements, "; "))
	if err := runStatements(m.SQL(), statements, m.chance(50)); err != nil {
		m.t.Fatal(err)
	}
}

func runStatements(db *sql.DB, statements []string, together bool) error {
	if !together {
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
		return nil
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for _, s := range statements {
		if _, err := tx.Exec(s); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s, err), tx.Rollback())
		}
	}
	return tx.Commit()
}

func (m *changesModel) writeByAPI() {
	var a ask
	switch event := m.event(); m.IntN(5) {
	case 0:
		a = ask{method: "POST", target: "events", body: fmt.Sprintf(`{"title":"%s","start_date":"%s","end_date":"2027-03-01 11:00","status":"%s","categories":[%d],"venue":{"id":%d}}`,
			m.words(2), m.day().Format(api.MySQLTime), oneOf(m.maker, "publish", "publish", "draft"), 31+m.IntN(4), m.venue())}
	case 1:
		a = ask{method: "DELETE", target: fmt.Sprint("events/", event)}
	case 2:
		a = ask{method: "POST", target: fmt.Sprint("venues/", m.venue()), body: fmt.Sprintf(`{"venue":"%s"}`, m.words(2))}
	default:
		a = ask{method: "POST", target: fmt.Sprint("events/", event), body: oneOf(m.maker,
			fmt.Sprintf(`{"title":"%s"}`, m.words(2)), fmt.Sprintf(`{"status":"%s"}`, m.status()), fmt.Sprintf(`{"categories":[%d]}`, 31+m.IntN(4)),
			fmt.Sprintf(`{"organizer":{"id":%d}}`, m.organizer()), `{"featured":true}`, `{"featured":false}`)}
	}
	a.as, a.contentType = "adela", "application/json"
	m.note("-- %s %s %s", a.method, a.target, a.body)
	if got := m.do(a); got.status >= 500 && got.status != 503 {
		m.t.Errorf("%s %s: %d %s", a.method, a.target, got.status, got.body)
	}
}

func (m *changesModel) event() int64 {
	return oneOf(m.maker, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 403+m.Int64N(30), 403+m.Int64N(30))
}

func (m *changesModel) content() string {
	return strings.NewReplacer("'", "", "\n", " ").Replace(m.text())
}
func (m *changesModel) venue() int64     { return 201 + m.Int64N(5) }
func (m *changesModel) organizer() int64 { return 301 + m.Int64N(3) }
func (m *changesModel) day() time.Time {
	return testNow.Add(time.Duration(m.late.Load())*time.Second + time.Duration(m.IntN(60*24)-20*24)*time.Hour)
}

// dates returns those of an occurrence: start, end, start and end in UTC.
func (m *changesModel) dates() (out [4]string) {
	day := m.day()
	for i, hours := range []int{0, 2, -1, 1} {
		out[i] = day.Add(time.Duration(hours) * time.Hour).Format(api.MySQLTime)
	}
	return out
}
func (m *changesModel) status() string {
	return oneOf(m.maker, "publish", "publish", "publish", "draft", "private", "pending", "trash", "future")
}

// statement returns a write as WordPress makes it, of one statement or more.
func (m *changesModel) statement() []string {
	event, other := m.event(), m.event()
	one := func(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }
	meta := func(id int64, key string, value any) []string {
		return one("UPDATE wp_postmeta SET meta_value = '%v' WHERE post_id = %d AND meta_key = '%s'", value, id, key)
	}
	switch n := m.IntN(100); {
	case n < 15:
		return one("UPDATE wp_posts SET post_title = '%s' WHERE ID = %d", m.words(2), event)
	case n < 35:
		return one("UPDATE wp_posts SET post_status = '%s' WHERE ID = %d", m.status(), event)
	case n < 40:
		return one("UPDATE wp_posts SET post_password = '%s' WHERE ID = %d", oneOf(m.maker, "", "", "sesame"), event)
	case n < 43:
		return one("UPDATE wp_posts SET post_author = %d WHERE ID = %d", 1+m.IntN(5), event)
	case n < 46:
		return one("UPDATE wp_posts SET post_parent = %d WHERE ID = %d", oneOf(m.maker, 0, other), event)
	case n < 49:
		return one("UPDATE wp_posts SET post_type = '%s' WHERE ID = %d", oneOf(m.maker, "tribe_events", "tribe_events", "page"), event)
	case n < 57:
		d := m.dates()
		return one("UPDATE wp_tec_occurrences SET start_date = '%s', end_date = '%s', start_date_utc = '%s', end_date_utc = '%s' WHERE post_id = %d", d[0], d[1], d[2], d[3], event)
	case n < 59:
		return one("DELETE FROM wp_tec_occurrences WHERE post_id = %d", event)
	case n < 65:
		return one("INSERT %sIGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, %d)", m.or, event, oneOf(m.maker, 531, 532, 533, 534, 541, 542))
	case n < 70:
		return one("DELETE FROM wp_term_relationships WHERE object_id = %d AND term_taxonomy_id < %d", event, 531+m.IntN(12))
	case n < 73:
		return one("UPDATE wp_terms SET name = '%s' WHERE term_id = %d", m.words(1), oneOf(m.maker, 31, 32, 33, 34, 41, 42))
	case n < 74:
		return one("UPDATE wp_term_taxonomy SET count = count + 1 WHERE term_id = %d", oneOf(m.maker, 31, 32, 33, 34, 41, 42))
	case n < 75:
		return one("UPDATE wp_term_taxonomy SET parent = %d WHERE term_id = %d", oneOf(m.maker, 0, 31), 32+m.IntN(3))
	case n < 76:
		return one("UPDATE wp_term_taxonomy SET taxonomy = '%s' WHERE term_id = 34", oneOf(m.maker, "tribe_events_cat", "post_tag", "category"))
	case n < 80:
		return one("UPDATE wp_posts SET post_title = '%s' WHERE ID = %d", m.words(2), m.venue())
	case n < 83:
		return one("UPDATE wp_posts SET post_status = '%s' WHERE ID = %d", m.status(), oneOf(m.maker, m.venue(), m.organizer()))
	case n < 86:
		return meta(event, "_EventVenueID", m.venue())
	case n < 88:
		return one("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_EventOrganizerID', '%d')", event, m.organizer())
	case n < 90:
		return one("DELETE FROM wp_postmeta WHERE post_id = %d AND meta_key IN ('_EventOrganizerID', '_tribe_featured')", event)
	case n < 91:
		return one("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_tribe_featured', '1')", event)
	case n < 92:
		return one("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_thumbnail_id', '401')", event)
	case n < 93:
		return meta(401, "_wp_attachment_image_alt", m.words(1))
	case n < 95:
		return slices.Concat(one("DELETE FROM wp_postmeta WHERE post_id = %d", event), one("DELETE FROM wp_tec_occurrences WHERE post_id = %d", event), one("DELETE FROM wp_posts WHERE ID = %d", event))
	case n < 97:
		return one("INSERT INTO wp_posts (post_type, post_status, post_author, post_title, post_name, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt) SELECT 'tribe_events', '%s', post_author, '%s', 'new', '%s', '', '', '', '', post_date, post_date_gmt, post_modified, post_modified_gmt FROM wp_posts WHERE ID = 402",
			m.status(), m.words(2), m.content())
	case n < 98:
		d := m.dates()
		return one("INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash) SELECT ID, ID, '%s', '%s', '%s', '%s', '%x' FROM wp_posts WHERE post_type = 'tribe_events' AND ID NOT IN (SELECT post_id FROM wp_tec_occurrences) ORDER BY ID DESC LIMIT 1", d[0], d[1], d[2], d[3], m.Uint64())
	case n < 99:
		return one("UPDATE wp_posts SET post_content = '%s' WHERE ID = %d", m.content(), event)
	default:
		return one("UPDATE wp_unrelated SET id = id + 1")
	}
}
