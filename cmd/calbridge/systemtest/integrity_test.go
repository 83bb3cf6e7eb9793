package systemtest

import (
	"crypto/sha1"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/wptest"
)

// integrity checks with its own queries what must hold for a whole site after any number of
// writes. It ignores faults that the site had from the beginning.
type integrity struct {
	db    *sql.DB
	known map[string]bool
}

func newIntegrity(t *testing.T, d wptest.Database) *integrity {
	t.Helper()
	cfg, err := mysql.ParseDSN(d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Params = map[string]string{"sql_mode": "''", "time_zone": "'+00:00'"}
	cfg.InterpolateParams = true
	if err := cfg.Apply(mysql.Charset("utf8mb4", "utf8mb4_unicode_520_ci")); err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	in := &integrity{db: sql.OpenDB(connector), known: map[string]bool{}}
	t.Cleanup(func() { in.db.Close() })
	for _, fault := range in.faults(t) {
		in.known[fault] = true
	}
	return in
}

// rows runs a query of texts.
func (in *integrity) rows(t *testing.T, query string, args ...any) [][]string {
	t.Helper()
	rows, err := in.db.Query(query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	var out [][]string
	for rows.Next() {
		row, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		texts := make([]string, len(row))
		for i := range row {
			texts[i] = row[i].String
		}
		out = append(out, texts)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// contradictions holds queries for rows that contradict others.
var contradictions = map[string]string{
	"count of a category": `SELECT tt.term_taxonomy_id, tt.count, COUNT(p.ID) AS n FROM wp_term_taxonomy tt
		LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
		LEFT JOIN wp_posts p ON p.ID = tr.object_id AND p.post_status = 'publish' AND p.post_type IN ('tribe_events', 'tec_calendar_embed')
		WHERE tt.taxonomy = 'tribe_events_cat' GROUP BY tt.term_taxonomy_id, tt.count HAVING n <> tt.count`,
	"count of a tag": `SELECT tt.term_taxonomy_id, tt.count, COUNT(p.ID) AS n FROM wp_term_taxonomy tt
		LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
		LEFT JOIN wp_posts p ON p.ID = tr.object_id AND p.post_status = 'publish' AND p.post_type IN ('post', 'tribe_events', 'tec_calendar_embed')
		WHERE tt.taxonomy = 'post_tag' GROUP BY tt.term_taxonomy_id, tt.count HAVING n <> tt.count`,
	"slug twice": `SELECT post_type, post_name, COUNT(*) AS n FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer')
		AND post_name <> '' AND post_status NOT IN ('draft', 'pending', 'auto-draft') GROUP BY post_type, post_name HAVING n > 1`,
	"slug of a term twice": `SELECT tt.taxonomy, t.slug, COUNT(*) AS n FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id
		GROUP BY tt.taxonomy, t.slug HAVING n > 1`,
	"metadata of no post":         `SELECT m.post_id, m.meta_key FROM wp_postmeta m LEFT JOIN wp_posts p ON p.ID = m.post_id WHERE p.ID IS NULL`,
	"relationship of no post":     `SELECT tr.object_id, tr.term_taxonomy_id FROM wp_term_relationships tr LEFT JOIN wp_posts p ON p.ID = tr.object_id WHERE p.ID IS NULL`,
	"relationship to no term":     `SELECT tr.object_id, tr.term_taxonomy_id FROM wp_term_relationships tr LEFT JOIN wp_term_taxonomy tt ON tt.term_taxonomy_id = tr.term_taxonomy_id WHERE tt.term_id IS NULL`,
	"term of no taxonomy":         `SELECT t.term_id FROM wp_terms t LEFT JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.term_id IS NULL`,
	"taxonomy of no term":         `SELECT tt.term_id FROM wp_term_taxonomy tt LEFT JOIN wp_terms t ON t.term_id = tt.term_id WHERE t.term_id IS NULL`,
	"row of no event":             `SELECT e.post_id FROM wp_tec_events e LEFT JOIN wp_posts p ON p.ID = e.post_id WHERE p.ID IS NULL`,
	"occurrence of no row":        `SELECT o.post_id FROM wp_tec_occurrences o LEFT JOIN wp_tec_events e ON e.event_id = o.event_id AND e.post_id = o.post_id WHERE e.event_id IS NULL`,
	"row without occurrence":      `SELECT e.post_id FROM wp_tec_events e LEFT JOIN wp_tec_occurrences o ON o.event_id = e.event_id WHERE o.event_id IS NULL`,
	"occurrence unlike its event": `SELECT o.post_id FROM wp_tec_occurrences o JOIN wp_tec_events e ON e.event_id = o.event_id WHERE o.start_date <> e.start_date OR o.end_date <> e.end_date OR o.start_date_utc <> e.start_date_utc OR o.duration <> e.duration`,
	"key twice": `SELECT post_id, meta_key, COUNT(*) AS n FROM wp_postmeta WHERE meta_key LIKE '\_%' AND meta_key NOT IN ('_EventOrganizerID', '_EventCost', '_wp_old_slug', '_wp_old_date', '_plugin_row')
		GROUP BY post_id, meta_key HAVING n > 1`,
	"option twice":       `SELECT option_name, COUNT(*) AS n FROM wp_options GROUP BY option_name HAVING n > 1`,
	"revision of nobody": `SELECT r.ID FROM wp_posts r LEFT JOIN wp_posts p ON p.ID = r.post_parent WHERE r.post_type = 'revision' AND p.ID IS NULL`,
	"nameless":           `SELECT ID FROM wp_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') AND post_status IN ('publish', 'private', 'trash') AND (post_name = '' OR guid = '')`,
	"trash":              `SELECT p.ID, COUNT(m.meta_id) AS n FROM wp_posts p LEFT JOIN wp_postmeta m ON m.post_id = p.ID AND m.meta_key IN ('_wp_trash_meta_status', '_wp_trash_meta_time') WHERE p.post_status = 'trash' AND p.post_type LIKE 'tribe\_%' GROUP BY p.ID HAVING n <> 2`,
	"name of trash":      `SELECT ID FROM wp_posts WHERE post_type LIKE 'tribe\_%' AND post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer') AND (post_status = 'trash') <> (post_name LIKE '%\_\_trashed%')`,
}

// faults returns all faults, known or not.
func (in *integrity) faults(t *testing.T) []string {
	t.Helper()
	var out []string
	for name, query := range contradictions {
		for _, row := range in.rows(t, query) {
			out = append(out, name+": "+strings.Join(row, " "))
		}
	}
	for _, o := range in.rows(t, `SELECT post_id, DATE_FORMAT(start_date, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT(end_date, '%Y-%m-%d %H:%i:%s'),
		DATE_FORMAT(start_date_utc, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT(end_date_utc, '%Y-%m-%d %H:%i:%s'), duration, hash FROM wp_tec_occurrences`) {
		sum := sha1.Sum([]byte(strings.Join(o[:6], ":")))
		if hex.EncodeToString(sum[:]) != o[6] {
			out = append(out, "hash of occurrence: "+strings.Join(o, " "))
		}
	}
	out = append(out, in.rangeFaults(t)...)
	return append(out, in.childrenFaults(t)...)
}

func (in *integrity) option(t *testing.T, name string) *php.Array {
	t.Helper()
	row := in.rows(t, "SELECT option_value FROM wp_options WHERE option_name = ?", name)
	if len(row) == 0 {
		return nil
	}
	v, _ := phpserial.Maybe(row[0][0]).(*php.Array)
	return v
}

func (in *integrity) rangeFaults(t *testing.T) []string {
	var out []string
	options := in.option(t, "tribe_events_calendar_options")
	if options == nil {
		return []string{"the calendar's options are broken"}
	}
	for _, end := range [][3]string{{"earliest_date", "MIN", "start_date_utc"}, {"latest_date", "MAX", "end_date_utc"}} {
		public := ` FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id WHERE p.post_type = 'tribe_events' AND p.post_status IN ('publish', 'private', 'protected')`
		want := in.rows(t, `SELECT DATE_FORMAT(`+end[1]+`(o.`+end[2]+`), '%Y-%m-%d %H:%i:%s')`+public)[0][0]
		if got := php.ToString(options.At(end[0])); got != want {
			out = append(out, fmt.Sprintf("%s %s, want %s", end[0], got, want))
			continue
		}
		var posts []string
		for _, row := range in.rows(t, `SELECT o.post_id`+public+` AND o.`+end[2]+` = ?`, want) {
			posts = append(posts, row[0])
		}
		markers, _ := options.At(end[0] + "_markers").(*php.Array)
		if markers == nil || markers.Len() != 1 || !slices.Contains(posts, php.ToString(markers.Values()[0])) {
			out = append(out, end[0]+"_markers")
		}
	}
	return out
}

func (in *integrity) childrenFaults(t *testing.T) []string {
	want := map[string][]string{}
	for _, row := range in.rows(t, `SELECT parent, term_id FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' AND parent > 0 ORDER BY term_id`) {
		want[row[0]] = append(want[row[0]], row[1])
	}
	got := map[string][]string{}
	if a := in.option(t, "tribe_events_cat_children"); a != nil {
		for k, v := range a.All() {
			list, _ := v.(*php.Array)
			for _, id := range list.Values() {
				got[k.String()] = append(got[k.String()], php.ToString(id))
			}
			slices.Sort(got[k.String()])
		}
	}
	for _, ids := range want {
		slices.Sort(ids)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		return []string{fmt.Sprintf("children of categories: %v, want %v", got, want)}
	}
	return nil
}

// broken returns the faults that the site did not have at the beginning.
func (in *integrity) broken(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, fault := range in.faults(t) {
		if !in.known[fault] {
			out = append(out, fault)
		}
	}
	return out
}
