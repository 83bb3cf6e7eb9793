package systemtest

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// template is a site whose copies are sites of a network.
type template struct {
	tables []string // their names without prefix
	prefix string   // of its tables, without the database
	from   string   // what precedes the names of its tables in statements
	langs  []string // nil if it has one language
}

// networkTemplate returns site 2 of the recorded network.
func networkTemplate() template {
	return template{
		tables: []string{"posts", "postmeta", "terms", "termmeta", "term_taxonomy", "term_relationships", "comments", "commentmeta", "options", "tec_events", "tec_occurrences"},
		prefix: "wp_2_", from: "wp_2_",
	}
}

// dumpTemplate returns a recorded site that is not a network, in a database of its own on the same server.
func dumpTemplate(t *testing.T, site string, langs ...string) template {
	t.Helper()
	db := wptest.SiteCopy(t, "mariadb", site)
	store := openStore(t, db)
	tmpl := template{prefix: db.TablePrefix, langs: langs}
	var name string
	rows, err := store.SQL().Query("SELECT table_schema, SUBSTRING(table_name, ?) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name NOT LIKE '%users' AND table_name NOT LIKE '%usermeta' AND table_name NOT LIKE '%actionscheduler%' AND table_name NOT LIKE '%string%'", len(db.TablePrefix)+1)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table string
		if err := rows.Scan(&name, &table); err != nil {
			t.Fatal(err)
		}
		tmpl.tables = append(tmpl.tables, table)
	}
	if err := rows.Err(); err != nil || len(tmpl.tables) == 0 {
		t.Fatal(len(tmpl.tables), err)
	}
	tmpl.from = fmt.Sprintf("`%s`.%s", name, db.TablePrefix)
	return tmpl
}

// copySite adds a site to the network that is a copy of site 2 in the folder /s{id}/.
func copySite(t testing.TB, store *sitedb.DB, id int) {
	t.Helper()
	networkTemplate().copy(t, store, id)
}

// copy adds a copy to the network in the folder /s{id}/. Its users have the roles that they have on site 2.
func (tmpl template) copy(t testing.TB, store *sitedb.DB, id int) {
	t.Helper()
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := store.SQL().Exec(statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, table := range tmpl.tables {
		exec(fmt.Sprintf("CREATE TABLE wp_%d_%s LIKE %s%s", id, table, tmpl.from, table))
		exec(fmt.Sprintf("INSERT INTO wp_%d_%s SELECT * FROM %s%s", id, table, tmpl.from, table))
	}
	options := fmt.Sprintf("wp_%d_options", id)
	exec("UPDATE "+options+" SET option_value = ? WHERE option_name IN ('siteurl', 'home')", fmt.Sprintf("https://sit.example/s%d", id))
	exec("UPDATE "+options+" SET option_name = ? WHERE option_name = ?", fmt.Sprintf("wp_%d_user_roles", id), tmpl.prefix+"user_roles")
	exec(fmt.Sprintf("UPDATE wp_%d_posts SET post_title = CONCAT(post_title, ' %d')", id, id))
	exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT user_id, REPLACE(meta_key, 'wp_2_', ?), meta_value FROM wp_usermeta WHERE meta_key LIKE 'wp\\_2\\_%'", fmt.Sprintf("wp_%d_", id))
	exec("INSERT INTO wp_blogs (blog_id, site_id, domain, path, registered, last_updated, public) VALUES (?, 1, 'sit.example', ?, '2026-01-01', '2026-01-01', 1)", id, fmt.Sprintf("/s%d/", id))
}

// keepEvents deletes all but n events of a site of the network.
func keepEvents(t *testing.T, store *sitedb.DB, id, n int) {
	t.Helper()
	posts := fmt.Sprintf("wp_%d_posts", id)
	change(t, store, fmt.Sprintf("DELETE FROM %[1]s WHERE post_type = 'tribe_events' AND ID NOT IN (SELECT ID FROM (SELECT ID FROM %[1]s WHERE post_type = 'tribe_events' ORDER BY ID * 7919 %% 1009 LIMIT %[2]d) kept)", posts, n))
	for _, table := range []string{"tec_events", "tec_occurrences"} {
		change(t, store, fmt.Sprintf("DELETE FROM wp_%d_%s WHERE post_id NOT IN (SELECT ID FROM %s)", id, table, posts))
	}
}

// multiplyEvents adds copies of all events of a site of the network, until there are n.
func multiplyEvents(t *testing.T, store *sitedb.DB, id, n int) {
	t.Helper()
	var events int
	if err := store.SQL().QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM wp_%d_posts WHERE post_type = 'tribe_events'", id)).Scan(&events); err != nil || events == 0 {
		t.Fatal(events, err)
	}
	for round := 1; round*events < n; round++ {
		for _, table := range []struct{ name, of, change string }{
			{"posts", "ID", "ID = ID + @by, post_name = CONCAT(post_name, '-', @by)"},
			{"postmeta", "post_id", "post_id = post_id + @by, meta_id = meta_id + @by"},
			{"term_relationships", "object_id", "object_id = object_id + @by"},
			{"tec_events", "post_id", "event_id = event_id + @by, post_id = post_id + @by, hash = CONCAT(@by, hash)"},
			{"tec_occurrences", "post_id", "occurrence_id = occurrence_id + @by, event_id = event_id + @by, post_id = post_id + @by, hash = CONCAT(@by, hash)"},
		} {
			name := fmt.Sprintf("wp_%d_%s", id, table.name)
			change(t, store, "CREATE TABLE copies LIKE "+name)
			change(t, store, fmt.Sprintf("INSERT INTO copies SELECT * FROM %s WHERE %s IN (SELECT ID FROM wp_%d_posts WHERE post_type = 'tribe_events' AND ID < 1000000)", name, table.of, id))
			change(t, store, "UPDATE copies SET "+strings.ReplaceAll(table.change, "@by", strconv.Itoa(round*1_000_000)))
			change(t, store, "INSERT INTO "+name+" SELECT * FROM copies")
			change(t, store, "DROP TABLE copies")
		}
	}
}

// siteRows holds the rows of a site that random requests ask for.
type siteRows struct {
	langs  []string
	ids    map[string][]string // of posts by their type, and of terms by their taxonomy
	slugs  []string            // of events
	random *rand.Rand
}

func readSiteRows(t *testing.T, store *sitedb.DB, id int, langs []string, random *rand.Rand) *siteRows {
	t.Helper()
	s := &siteRows{langs: langs, ids: map[string][]string{}, random: random}
	rows, err := store.SQL().Query(fmt.Sprintf("SELECT post_type, ID, post_name FROM wp_%[1]d_posts WHERE post_type IN ('tribe_events', 'tribe_venue', 'tribe_organizer')"+
		" UNION ALL SELECT taxonomy, term_id, '' FROM wp_%[1]d_term_taxonomy WHERE taxonomy IN ('tribe_events_cat', 'post_tag')", id))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, number, slug string
		if err := rows.Scan(&kind, &number, &slug); err != nil {
			t.Fatal(err)
		}
		if s.ids[kind] = append(s.ids[kind], number); kind == "tribe_events" {
			s.slugs = append(s.slugs, slug)
		}
	}
	if err := rows.Err(); err != nil || len(s.slugs) == 0 {
		t.Fatal(len(s.slugs), err)
	}
	return s
}

func (s *siteRows) pick(values ...string) string { return values[s.random.IntN(len(values))] }

// id returns the id of a row of a kind, or one that doesn't exist.
func (s *siteRows) id(kind string) string {
	if ids := s.ids[kind]; len(ids) > 0 && s.random.IntN(10) > 0 {
		return s.pick(ids...)
	}
	return "999999"
}

// target returns the path and query of a random read below the namespace.
func (s *siteRows) target() string {
	var path string
	switch s.random.IntN(12) {
	case 0, 1:
		return "/events/" + s.id("tribe_events")
	case 2:
		return "/events/by-slug/" + url.PathEscape(s.pick(s.slugs...))
	case 3:
		return "/venues/" + s.id("tribe_venue")
	case 4:
		return "/organizers/" + s.id("tribe_organizer")
	case 5:
		return "/categories/" + s.id("tribe_events_cat")
	case 6:
		path = "/" + s.pick("venues", "organizers")
	case 7:
		path = "/" + s.pick("categories", "tags")
	case 8:
		return s.pick("/", "/doc", "/nothing")
	default:
		path = "/events"
	}
	query := url.Values{}
	maybe := func(name string, values ...string) {
		if s.random.IntN(4) == 0 {
			query.Set(name, s.pick(values...))
		}
	}
	maybe("per_page", "1", "3", "10", "50", "0", "x")
	maybe("page", "1", "2", "5", "99")
	maybe("search", "a", "koncert", "e", "ní", "nikde")
	if path == "/events" {
		maybe("start_date", "2026-11-21", "2026-01-01", "2027-02-01", "tomorrow")
		maybe("end_date", "2026-12-31", "2027-12-31")
		maybe("status", "publish", "draft", "any", "private")
		maybe("categories", s.id("tribe_events_cat"))
		maybe("tags", s.id("post_tag"))
		maybe("venue", s.id("tribe_venue"))
		maybe("organizer", s.id("tribe_organizer"))
		maybe("featured", "1", "0")
	} else {
		maybe("hide_empty", "1")
		maybe("has_events", "1")
	}
	if len(s.langs) > 0 {
		maybe("language_code", s.langs...)
	}
	return path + "?" + query.Encode()
}

// networkReads returns the recorded GETs of site 2.
func networkReads(t *testing.T) []*recording.Exchange {
	t.Helper()
	var reads []*recording.Exchange
	err := recording.Read([]string{testdata.Shared(t, "recordings", "network", "network.jsonl.gz")}, func(e recording.Entry) error {
		if x := e.Exchange; x != nil && x.Request.Method == http.MethodGet && strings.HasPrefix(x.ID, "network-b2-") && x.Request.Body == nil {
			reads = append(reads, x)
		}
		return nil
	})
	if err != nil || len(reads) == 0 {
		t.Fatal(len(reads), err)
	}
	return reads
}

// askSite sends a recorded request of site 2 to another site, and returns status, headers and body.
func askSite(t *testing.T, server *started, site *recording.Site, x *recording.Exchange, id int) string {
	t.Helper()
	return readSite(t, server, site, strings.Replace(x.Request.Path, "/divadlo", fmt.Sprintf("/s%d", id), 1), x.As, x.Request.Headers)
}

// readSite sends a GET to a site of the network and returns status, headers and body.
func readSite(t *testing.T, server *started, site *recording.Site, target, as string, headers map[string]string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.api, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Opaque = target
	req.Host = "sit.example"
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Accept", "application/json")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	if as != recording.Anonymous {
		value, err := site.Authorization(as)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	resp.Header.Del("Date")
	var b strings.Builder
	fmt.Fprintln(&b, resp.Status)
	for _, name := range slices.Sorted(maps.Keys(resp.Header)) {
		fmt.Fprintln(&b, name, resp.Header[name])
	}
	b.Write(body)
	return b.String()
}

// setting returns a number from the environment, or another one.
func setting(name string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		return otherwise
	}
	return n
}

// TestManySites compares a process that serves a whole network, of which only some sites are in memory
// at a time, with processes that serve one site each, by random reads of all roles. One site in thirty
// has 2,000 events, the others 5 to 50, of one language or with WPML or Polylang. It logs how long a site takes
// that isn't in memory. CALBRIDGE_MANY_SITES is the number of sites, CALBRIDGE_MANY_READS that of all reads.
func TestManySites(t *testing.T) {
	oneAtATime(t)
	n, many, reads := readNetwork(t), setting("CALBRIDGE_MANY_SITES", 8), setting("CALBRIDGE_MANY_READS", 800)
	db := wptest.SiteCopy(t, "mariadb", "network")
	store := openStore(t, db)
	random := rand.New(rand.NewPCG(35, uint64(many)))
	templates := []template{networkTemplate(), dumpTemplate(t, "wpml", "cs", "en", "de", "all"), dumpTemplate(t, "poly", "cs", "en", "de", "all"), dumpTemplate(t, "mono")}
	sites := make([]*siteRows, many)
	for i := range sites {
		id, tmpl := 100+i, templates[i%len(templates)]
		tmpl.copy(t, store, id)
		if i%30 == 4 {
			multiplyEvents(t, store, id, 2000)
		} else {
			keepEvents(t, store, id, 5+random.IntN(46))
		}
		// Terms of one name have no order: the database may return them differently the next time.
		change(t, store, fmt.Sprintf("UPDATE wp_%d_terms SET name = CONCAT(name, ' ', term_id)", id))
		sites[i] = readSiteRows(t, store, id, tmpl.langs, random)
	}
	described, err := recording.LoadSite(testdata.Shared(t, "sites", "network.json"))
	if err != nil {
		t.Fatal(err)
	}
	all := n.serveAll(t, db, "--sites-loaded", strconv.Itoa(max(4, many/3)), "--cache-size", "64MiB")
	namespace := func(id int) string { return fmt.Sprintf("/s%d/wp-json/%s", id, recording.DefaultNamespace) }
	var cold []time.Duration
	for i := range sites {
		began := time.Now()
		if got := readSite(t, all, described, namespace(100+i)+"/events", recording.Anonymous, nil); !strings.HasPrefix(got, "200 ") {
			t.Fatalf("site %d: %s", 100+i, got)
		}
		cold = append(cold, time.Since(began))
	}
	slices.Sort(cold)
	t.Logf("%d sites, first request of a site: median %v, longest %v", many, cold[len(cold)/2], cold[len(cold)-1])
	roles := append(slices.Sorted(maps.Keys(n.Users)), slices.Repeat([]string{recording.Anonymous}, len(n.Users))...)
	profile := buildProfileFile(t, testdata.Shared(t), "network", "mono/*.jsonl.gz")
	status := map[string]int{}
	for i, site := range sites {
		id := 100 + i
		t.Run(strconv.Itoa(id), func(t *testing.T) {
			alone := n.serve(t, db, &networkSite{BlogID: int64(id)}, profile)
			for range reads / many {
				target, as := namespace(id)+site.target(), site.pick(roles...)
				got, want := readSite(t, all, described, target, as, nil), readSite(t, alone, described, target, as, nil)
				if got != want {
					t.Fatalf("%s as %s\n%s\nalone\n%s", target, as, got, want)
				}
				status[got[:3]]++
			}
		})
	}
	t.Logf("%d sites, reads by status: %v", many, status)
	if status["200"] < reads/3 {
		t.Errorf("few reads succeeded: %v", status)
	}
}

// TestMemoryOfSites measures processes that serve a network, as docker/capacity.md shows it. Each element of
// CALBRIDGE_MEMORY_OF_SITES, such as 1,10,300,1000/100, is a number of sites to open, with --sites-loaded if it
// is another number. Then 16 clients read for ten seconds from sites by Zipf's law.
func TestMemoryOfSites(t *testing.T) {
	oneAtATime(t)
	type size struct{ sites, loaded int }
	var sizes []size
	for text := range strings.SplitSeq(os.Getenv("CALBRIDGE_MEMORY_OF_SITES"), ",") {
		sites, loaded, found := strings.Cut(text, "/")
		if !found {
			loaded = sites
		}
		count, err := strconv.Atoi(sites)
		most, errLoaded := strconv.Atoi(loaded)
		if err != nil || errLoaded != nil {
			t.Skip("measures for minutes: set CALBRIDGE_MEMORY_OF_SITES=1,10,60,300,1000/100 to run it")
		}
		sizes = append(sizes, size{count, most})
	}
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network", "--innodb-flush-log-at-trx-commit=2")
	store := openStore(t, db)
	for id := range slices.MaxFunc(sizes, func(a, b size) int { return a.sites - b.sites }).sites {
		copySite(t, store, 100+id)
	}
	described, err := recording.LoadSite(testdata.Shared(t, "sites", "network.json"))
	if err != nil {
		t.Fatal(err)
	}
	reads := slices.DeleteFunc(networkReads(t), func(x *recording.Exchange) bool {
		return x.As != recording.Anonymous || x.Response.Status != http.StatusOK
	})
	list := reads[slices.IndexFunc(reads, func(x *recording.Exchange) bool { return strings.Contains(x.ID, "events-list") })]
	before := connections(t, store)
	for _, size := range sizes {
		began := time.Now()
		server := spawn(t, nil, n.allArgs(t, db, "--sites-loaded", strconv.Itoa(size.loaded))...)
		started, atStart := time.Since(began), server.memory()
		var first []time.Duration
		for id := range size.sites {
			began := time.Now()
			if got := askSite(t, server.started, described, list, 100+id); !strings.HasPrefix(got, "200 ") {
				t.Fatalf("site %d: %s", 100+id, got)
			}
			first = append(first, time.Since(began))
		}
		slices.Sort(first)
		opened := server.memory()
		idle := connections(t, store) - before
		var clients sync.WaitGroup
		times := make([][]time.Duration, 16)
		end := time.Now().Add(10 * time.Second)
		for client := range times {
			clients.Go(func() {
				random := rand.New(rand.NewPCG(uint64(client), 35))
				zipf := rand.NewZipf(random, 1.01, 1, uint64(size.sites-1))
				for time.Now().Before(end) {
					x, id, began := reads[random.IntN(len(reads))], 100+int(zipf.Uint64()), time.Now()
					if got := askSite(t, server.started, described, x, id); !strings.HasPrefix(got, "200 ") {
						t.Errorf("site %d: %s", id, got)
						return
					}
					times[client] = append(times[client], time.Since(began))
				}
			})
		}
		most := int64(0)
		for time.Now().Before(end) {
			most = max(most, connections(t, store)-before)
			time.Sleep(50 * time.Millisecond)
		}
		clients.Wait()
		all := slices.Sorted(slices.Values(slices.Concat(times...)))
		t.Logf("%d sites, at most %d open: ready after %v, %d MiB at the start, %d MiB after a request of each, %d MiB after %d requests of 16 clients, %d/s, p50 %v, p99 %v; %d connections before them, %d meanwhile; first request of a site: median %v, p99 %v, longest %v",
			size.sites, size.loaded, started.Round(time.Millisecond), atStart, opened, server.memory(), len(all), len(all)/10, all[len(all)/2].Round(10*time.Microsecond), all[len(all)*99/100].Round(10*time.Microsecond),
			idle, most, first[len(first)/2].Round(time.Millisecond), first[len(first)*99/100].Round(time.Millisecond), first[len(first)-1].Round(time.Millisecond))
		if err := server.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		server.wait(10 * time.Second)
	}
}

// memory returns the resident memory of a server, in MiB.
func (s *started) memory() int { return int(s.metric("process_resident_memory_bytes")) >> 20 }

// connections returns the number of connections to a database server.
func connections(t *testing.T, store *sitedb.DB) (n int64) {
	t.Helper()
	if err := store.SQL().QueryRow("SELECT COUNT(*) FROM information_schema.processlist").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNetworkFollows changes the network while it is served: sites appear, move, are archived and deleted,
// and each change is seen within a second or two. A change in one site drops what was cached of that
// site alone.
func TestNetworkFollows(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	server := n.serveAll(t, db)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(server.stderr)
		}
	})
	sent := 0.0 // requests whose responses may come from a cache
	status := func(address string) int {
		sent++
		resp, _ := asNetwork(t, server, "https://sit.example"+address+"wp-json/tribe/events/v1/events")
		return resp.StatusCode
	}
	soon := func(what string, want int, address string) {
		t.Helper()
		began := time.Now()
		for time.Since(began) < 20*time.Second && status(address) != want {
			time.Sleep(20 * time.Millisecond)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: %d after %v", what, want, took)
		}
	}
	for _, home := range []string{"/", "/divadlo/"} {
		soon("the start", http.StatusOK, home)
	}

	t.Run("caches", func(t *testing.T) {
		// A request is counted after its response was sent, so that all before have to be counted first.
		count := func() (hits float64) {
			t.Helper()
			waitFor(t, func() bool {
				all := 0.0
				for _, result := range []string{"hit", "miss", "bypass"} {
					n := server.metric(`calbridge_cache_requests_total{result="` + result + `"}`)
					if all += n; result == "hit" {
						hits = n
					}
				}
				return all == sent
			})
			return hits
		}
		get := func(home string) (body string, hit bool) {
			t.Helper()
			hits := count()
			sent++
			_, text := asNetwork(t, server, "https://sit.example"+home+"wp-json/tribe/events/v1/events/"+map[string]string{"/": "47", "/divadlo/": "45"}[home])
			return string(text), count() > hits
		}
		cached := func() {
			t.Helper()
			for _, home := range []string{"/", "/divadlo/"} {
				waitFor(t, func() bool { _, hit := get(home); return hit })
			}
		}
		for i := range 5 {
			cached()
			title := fmt.Sprint("Changed by SQL ", i)
			change(t, store, "UPDATE wp_2_posts SET post_title = '"+title+"' WHERE ID = 45")
			waitFor(t, func() bool { body, _ := get("/divadlo/"); return strings.Contains(body, title) })
			if body, hit := get("/"); !hit || strings.Contains(body, title) {
				t.Errorf("after change %d of another site, the response of the main site is from the cache: %t, %.200s", i, hit, body)
			}
		}
	})

	t.Run("sites", func(t *testing.T) {
		soon("an unknown folder", http.StatusNotFound, "/s200/")
		copySite(t, store, 200)
		soon("a new site", http.StatusOK, "/s200/")
		change(t, store, "UPDATE wp_200_options SET option_value = 'https://sit.example/moved' WHERE option_name IN ('siteurl', 'home')")
		change(t, store, "UPDATE wp_blogs SET path = '/moved/' WHERE blog_id = 200")
		soon("a moved site", http.StatusOK, "/moved/")
		soon("its former folder", http.StatusNotFound, "/s200/")
		change(t, store, "UPDATE wp_blogs SET archived = 1 WHERE blog_id = 200")
		soon("an archived site", http.StatusGone, "/moved/")
		change(t, store, "UPDATE wp_blogs SET archived = 0 WHERE blog_id = 200")
		soon("an open site", http.StatusOK, "/moved/")
		change(t, store, "DELETE FROM wp_blogs WHERE blog_id = 200")
		soon("a site that is gone", http.StatusNotFound, "/moved/")
		change(t, store, "DROP TABLE wp_2_posts")
		waitFor(t, func() bool { return status("/divadlo/") != http.StatusOK })
		if got := status("/"); got != http.StatusOK {
			t.Errorf("the main site answers %d while another one has lost a table", got)
		}
	})
}
