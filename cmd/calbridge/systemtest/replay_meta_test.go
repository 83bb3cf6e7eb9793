package systemtest

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// TestListsWithoutOccurrenceTables requests every recorded list of events from a site with TEC's
// custom tables, and from the same site before it migrated to them, where the lists come from
// post meta. It checks that the responses are identical, except for lists with several tags.
//
// It does not compare with the recordings. Their site has events that were broken on purpose,
// whose rows in the tables are missing or contradict their meta. Both sites are therefore made
// consistent first.
func TestListsWithoutOccurrenceTables(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	profile := buildProfile(t, shared, "mono")
	files, err := recording.ExpandGlobs([]string{filepath.Join(shared, "recordings", "mono", "reads-*.jsonl.gz")})
	if err != nil {
		t.Fatal(err)
	}
	site, err := recording.LoadSite(filepath.Join(shared, "sites", "mono.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range replayEngines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var urls []string
			for _, prepare := range []func(*testing.T, *sitedb.DB){agree, dropTables} {
				db := wptest.SiteCopy(t, engine, "mono")
				store := openStore(t, db)
				agree(t, store)
				prepare(t, store)
				urls = append(urls, serveStore(t, store, "mono", db.Now, profile))
			}
			compared := 0
			err := recording.Read(files, func(e recording.Entry) error {
				x := e.Exchange
				if x == nil || orderIsOpen("mono", engine, x) || x.Request.Method != http.MethodGet || x.Request.Body != nil || severalTags.MatchString(x.Request.Path) {
					return nil
				}
				with, without := ask(t, urls[0], site, x), ask(t, urls[1], site, x)
				if with != without {
					t.Errorf("%s %s differs without the tables:\n%s\n%s", x.ID, x.Request.Path, diff.Head(with, 400), diff.Head(without, 400))
				}
				compared++
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if compared < 1000 {
				t.Errorf("only %d exchanges were compared", compared)
			}
		})
	}
}

// severalTags matches lists with several tags, which mean any of the tags in post meta, and
// the first one in the tables.
var severalTags = regexp.MustCompile(`[?&]tags=[^&]*(,|%2C)`)

// agree makes the custom tables agree with the post meta.
func agree(t *testing.T, store *sitedb.DB) {
	t.Helper()
	const meta = `SELECT p.ID, MIN(CASE WHEN m.meta_key = '_EventStartDate' THEN m.meta_value END), MIN(CASE WHEN m.meta_key = '_EventEndDate' THEN m.meta_value END),
		MIN(CASE WHEN m.meta_key = '_EventStartDateUTC' THEN m.meta_value END), MIN(CASE WHEN m.meta_key = '_EventEndDateUTC' THEN m.meta_value END)
		FROM wp_posts p LEFT JOIN wp_postmeta m ON m.post_id = p.ID WHERE p.post_type = 'tribe_events' GROUP BY p.ID`
	rows, err := store.SQL().Query(meta)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	type event struct {
		id    int64
		dates [4]sql.NullString
	}
	var events []event
	for rows.Next() {
		var e event
		if err := rows.Scan(&e.id, &e.dates[0], &e.dates[1], &e.dates[2], &e.dates[3]); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	change(t, store, "DELETE FROM wp_tec_occurrences")
	for _, e := range events {
		complete := true
		for _, d := range e.dates {
			complete = complete && len(d.String) == len("2006-01-02 15:04:05")
		}
		if !complete { // listed in neither
			change(t, store, "DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key IN ('_EventStartDate', '_EventEndDate')", e.id)
			continue
		}
		change(t, store, `INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			e.id, e.id, e.dates[0].String, e.dates[1].String, e.dates[2].String, e.dates[3].String, fmt.Sprint(e.id))
	}
}

// dropTables returns a site to its state before the migration.
func dropTables(t *testing.T, store *sitedb.DB) {
	t.Helper()
	change(t, store, "DROP TABLE wp_tec_occurrences")
	change(t, store, "DROP TABLE wp_tec_events")
	change(t, store, `UPDATE wp_options SET option_value = 'a:1:{s:5:"phase";s:16:"migration-prompt";}' WHERE option_name = 'tec_ct1_migration_state'`)
}

func change(t *testing.T, store *sitedb.DB, statement string, args ...any) {
	t.Helper()
	if _, err := store.SQL().Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// ask sends a recorded request and returns status, totals and body of the response.
func ask(t *testing.T, url string, site *recording.Site, x *recording.Exchange) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url+x.Request.Path, nil)
	if err != nil {
		return err.Error() // a request that Go's client cannot make
	}
	for name, value := range x.Request.Headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	if user, ok := site.Users[x.As]; ok {
		req.SetBasicAuth(x.As, user.ApplicationPassword)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintln(res.StatusCode, res.Header.Get("X-TEC-Total"), res.Header.Get("X-TEC-TotalPages")) + string(body)
}
