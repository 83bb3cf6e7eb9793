package systemtest

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
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

// copied are the tables that each site of a network has.
var copied = []string{"posts", "postmeta", "terms", "termmeta", "term_taxonomy", "term_relationships", "comments", "commentmeta", "options", "tec_events", "tec_occurrences"}

// copySite adds a site to the network that is a copy of site 2 in the folder /s{id}/.
func copySite(t testing.TB, store *sitedb.DB, id int) {
	t.Helper()
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := store.SQL().Exec(statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, table := range copied {
		exec(fmt.Sprintf("CREATE TABLE wp_%d_%s LIKE wp_2_%s", id, table, table))
		exec(fmt.Sprintf("INSERT INTO wp_%d_%s SELECT * FROM wp_2_%s", id, table, table))
	}
	options := fmt.Sprintf("wp_%d_options", id)
	exec("UPDATE "+options+" SET option_value = ? WHERE option_name IN ('siteurl', 'home')", fmt.Sprintf("https://sit.example/s%d", id))
	exec("UPDATE "+options+" SET option_name = ? WHERE option_name = 'wp_2_user_roles'", fmt.Sprintf("wp_%d_user_roles", id))
	exec(fmt.Sprintf("UPDATE wp_%d_posts SET post_title = CONCAT(post_title, ' %d')", id, id))
	exec("INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT user_id, REPLACE(meta_key, 'wp_2_', ?), meta_value FROM wp_usermeta WHERE meta_key LIKE 'wp\\_2\\_%'", fmt.Sprintf("wp_%d_", id))
	exec("INSERT INTO wp_blogs (blog_id, site_id, domain, path, registered, last_updated, public) VALUES (?, 1, 'sit.example', ?, '2026-01-01', '2026-01-01', 1)", id, fmt.Sprintf("/s%d/", id))
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
	req, err := http.NewRequestWithContext(t.Context(), x.Request.Method, server.api, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Opaque = strings.Replace(x.Request.Path, "/divadlo", fmt.Sprintf("/s%d", id), 1)
	req.Host = "sit.example"
	req.Header.Set("X-Forwarded-Proto", "https")
	req.Header.Set("Accept", "application/json")
	for name, value := range x.Request.Headers {
		req.Header.Set(name, value)
	}
	if x.As != recording.Anonymous {
		value, err := site.Authorization(x.As)
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

// manySites returns how many sites a network of a test has: CALBRIDGE_SITES, or few.
func manySites(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("CALBRIDGE_SITES"))
	if err != nil {
		return 12
	}
	return n
}

// TestManySites compares a process that serves a whole network, of which only some sites are in memory
// at a time, with processes that serve one site each. It logs how long a site takes that isn't in
// memory. CALBRIDGE_SITES sets the number of sites.
func TestManySites(t *testing.T) {
	oneAtATime(t)
	n, many := readNetwork(t), manySites(t)
	db := wptest.SiteCopy(t, "mariadb", "network")
	store := openStore(t, db)
	for id := range many {
		copySite(t, store, 100+id)
	}
	described, err := recording.LoadSite(testdata.Shared(t, "sites", "network.json"))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	all := n.serveAll(t, db, "--sites-loaded", strconv.Itoa(max(4, many/3)), "--cache-size", "64MiB")
	reads := networkReads(t)
	anonymous := reads[slices.IndexFunc(reads, func(x *recording.Exchange) bool {
		return x.As == recording.Anonymous && x.Response.Status == http.StatusOK && strings.Contains(x.ID, "events-list")
	})]
	var cold []time.Duration
	for id := range many {
		began := time.Now()
		if got := askSite(t, all, described, anonymous, 100+id); !strings.HasPrefix(got, "200 ") {
			t.Fatalf("site %d: %s", 100+id, got)
		}
		cold = append(cold, time.Since(began))
	}
	slices.Sort(cold)
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d sites, first request of a site: median %v, longest %v; heap %d MB more", many, cold[len(cold)/2], cold[len(cold)-1], (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	random := rand.New(rand.NewPCG(35, uint64(many)))
	profile := buildProfileFile(t, testdata.Shared(t), "network", "mono/*.jsonl.gz")
	for range min(many, 4) {
		id := 100 + random.IntN(many)
		t.Run(strconv.Itoa(id), func(t *testing.T) {
			alone := n.serve(t, db, &networkSite{BlogID: int64(id)}, profile)
			for range 2 * len(reads) {
				x := reads[random.IntN(len(reads))]
				if got, want := askSite(t, all, described, x, id), askSite(t, alone, described, x, id); got != want {
					t.Fatalf("%s as %s\n%s\nalone\n%s", x.Request.Path, x.As, got, want)
				}
			}
		})
	}
}

// TestMemoryOfSites measures processes that serve a network, as docker/capacity.md shows it: for each
// number in CALBRIDGE_MEMORY_OF_SITES, such as 1,10,60,300, it opens so many sites and logs memory
// and connections.
func TestMemoryOfSites(t *testing.T) {
	oneAtATime(t)
	var counts []int
	for text := range strings.SplitSeq(os.Getenv("CALBRIDGE_MEMORY_OF_SITES"), ",") {
		count, err := strconv.Atoi(text)
		if err != nil {
			t.Skip("measures for minutes: set CALBRIDGE_MEMORY_OF_SITES=1,10,60,300 to run it")
		}
		counts = append(counts, count)
	}
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network", "--innodb-flush-log-at-trx-commit=2")
	store := openStore(t, db)
	for id := range slices.Max(counts) {
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
	for _, count := range counts {
		server := spawn(t, nil, n.allArgs(t, db, "--sites-loaded", strconv.Itoa(count))...)
		atStart := server.memory()
		var first []time.Duration
		for id := range count {
			began := time.Now()
			if got := askSite(t, server.started, described, list, 100+id); !strings.HasPrefix(got, "200 ") {
				t.Fatalf("site %d: %s", 100+id, got)
			}
			first = append(first, time.Since(began))
		}
		slices.Sort(first)
		opened := server.memory()
		idle := connections(t, store) - before
		most := int64(0)
		var clients sync.WaitGroup
		for client := range 16 {
			clients.Go(func() {
				for i := range 100 {
					askSite(t, server.started, described, reads[(16*i+client)%len(reads)], 100+(16*i+client)%count)
				}
			})
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			clients.Wait()
		}()
		for busy := true; busy; {
			select {
			case <-ended:
				busy = false
			case <-time.After(20 * time.Millisecond):
				most = max(most, connections(t, store)-before)
			}
		}
		t.Logf("%d sites: %d MiB at the start, %d MiB when all are open, %d MiB after 1,600 requests of 16 clients; %d connections before them, %d meanwhile; first request of a site: median %v, longest %v",
			count, atStart, opened, server.memory(), idle, most, first[len(first)/2].Round(time.Millisecond), first[len(first)-1].Round(time.Millisecond))
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
