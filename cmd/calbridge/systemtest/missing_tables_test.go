package systemtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// TestMissingTables renames the tables of a site one by one, as a restore from a dump does,
// drops the whole database, and restores everything. It checks that each request gets its
// usual response or 503 with Retry-After, never 500 or a response without the missing rows.
// Once the tables are back, all requests succeed again.
func TestMissingTables(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	for _, followed := range []bool{false, true} {
		t.Run(fmt.Sprintf("followed=%v", followed), func(t *testing.T) { missingTables(t, followed) })
	}
}

func missingTables(t *testing.T, followed bool) {
	node := wptest.StartNode(t)
	db := node.Site("mono")
	cache := "off"
	if followed {
		cache = "auto"
		node.Exec("GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	}
	s := start(t, nil, outageArgs(db, db.DSN, "--cache", cache, "--extensions", "--state-dir", t.TempDir())...)
	c := &tablesClient{t: t, api: s.api, credentials: newOutageKiller(t, db).credentials()}
	well := c.all()
	for request, a := range well {
		if a.status != http.StatusOK && a.status != http.StatusCreated {
			t.Fatalf("%s: %d %s", request, a.status, a.body)
		}
	}
	judge := func(missing string) (refused map[string]bool) {
		refused = map[string]bool{}
		for request, a := range c.all() {
			switch {
			case a.status == http.StatusServiceUnavailable && a.retryAfter != "":
				refused[request] = true
			case a.status != well[request].status:
				t.Errorf("without %s: %s: %d, Retry-After %q: %s", missing, request, a.status, a.retryAfter, a.body)
			}
		}
		return refused
	}
	healed := func(from string) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			refused := judge(from + ", which is back")
			if len(refused) == 0 {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s is back, and these are refused: %v", from, refused)
			}
		}
	}
	for _, table := range []string{"posts", "postmeta", "options", "terms", "term_taxonomy", "term_relationships", "users", "usermeta", "tec_occurrences", "tec_events"} {
		name := "calendar." + db.TablePrefix + table
		node.Exec("RENAME TABLE " + name + " TO " + name + "_away")
		refused := judge(table)
		if table == "posts" && len(refused) != len(well)-3 { // categories and tags
			t.Errorf("without posts only these are refused: %v", refused)
		}
		node.Exec("RENAME TABLE " + name + "_away TO " + name)
		healed(table)
	}
	node.Exec("ALTER TABLE calendar." + db.TablePrefix + "posts RENAME COLUMN post_excerpt TO post_excerpt_away")
	if refused := judge("a column"); len(refused) == 0 {
		t.Error("nothing is refused without a column")
	}
	node.Exec("ALTER TABLE calendar." + db.TablePrefix + "posts RENAME COLUMN post_excerpt_away TO post_excerpt")
	healed("a column")

	node.Exec("DROP DATABASE calendar")
	if refused := judge("the database"); len(refused) != len(well) {
		t.Errorf("without the database only these are refused: %v", refused)
	}
	node.Site("mono")
	healed("the database")
}

// tablesClient sends one request of every kind.
type tablesClient struct {
	t           *testing.T
	api         string
	credentials []string
	made        int
}

type tablesAnswer struct {
	status     int
	retryAfter string
	body       string
}

// all sends reads, writes, and requests for feeds and exports.
func (c *tablesClient) all() map[string]tablesAnswer {
	c.t.Helper()
	const root = "/wp-json/" + recording.DefaultNamespace
	c.made++
	answers := map[string]tablesAnswer{}
	for _, target := range []string{
		root + "/events?per_page=3", root + "/events?search=a&per_page=2", root + "/venues", root + "/organizers",
		root + "/categories", root + "/tags", root + "/events.ics", root + "/events.jsonfeed", "/events/?ical=1",
	} {
		answers["GET "+target] = c.ask(http.MethodGet, target, "")
	}
	for target, body := range map[string]string{
		"/events":     `{"title":"Made %d","start_date":"2027-06-05 19:00","end_date":"2027-06-05 21:00","tags":"made %[1]d"}`,
		"/venues":     `{"venue":"Made %d"}`,
		"/categories": `{"name":"Made %d"}`,
	} {
		answers["POST "+target] = c.ask(http.MethodPost, root+target, fmt.Sprintf(body, c.made))
	}
	return answers
}

func (c *tablesClient) ask(method, target, body string) tablesAnswer {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.api+target, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("X-Forwarded-Proto", "https")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set(c.credentials[0], c.credentials[1])
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return tablesAnswer{res.StatusCode, res.Header.Get("Retry-After"), string(got[:min(len(got), 200)])}
}
