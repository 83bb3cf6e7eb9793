package systemtest

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/testdata"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/wptest"
)

// feedExchange is a recorded request for an iCalendar export.
type feedExchange struct {
	ID, As  string
	Request struct {
		Method, Path string
		Headers      map[string]string
	}
	Response feedAnswer
}

type feedAnswer struct {
	Status  int
	Headers map[string]string
	Body    string
}

// TestFeeds replays the recorded exports of each site.
func TestFeeds(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	for _, site := range []string{"mono", "poly", "wpml"} {
		profile := buildProfile(t, shared, site)
		for _, engine := range replayEngines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				t.Parallel()
				url := serveSite(t, engine, site, profile)
				same, left, different := 0, 0, 0
				for _, x := range readFeeds(t, filepath.Join(shared, "recordings", site, "feeds.jsonl.gz")) {
					got := askFeed(t, url, "https://"+siteHost(site), &x)
					switch diff := feedDiff(&x.Response, got); {
					case leftToWordPress(x.Request.Path):
						left++
						if got.Status != http.StatusNotFound || !strings.HasPrefix(got.Headers["content-type"], "text/plain") {
							t.Errorf("%s %s: status %d", x.ID, x.Request.Path, got.Status)
						}
					case diff == "":
						same++
					default:
						different++
						t.Errorf("%s %s %s: %s", x.ID, x.Request.Method, x.Request.Path, diff)
					}
				}
				t.Logf("%d same, %d different, %d left to WordPress", same, different, left)
			})
		}
	}
}

// leftToWordPress reports whether an address belongs to one of WordPress's own pages or to
// nothing. Only WordPress can tell these apart.
func leftToWordPress(path string) bool {
	for _, own := range []string{"nonexistent-page/", "sample-page/", "feed/", "author/", "neexistuje/", "cs/", "EVENTS/"} {
		for _, root := range []string{"/", "/de/"} {
			if strings.HasPrefix(path, root+own) {
				return true
			}
		}
	}
	return strings.Contains(path, "/feed/") || strings.Contains(path, "/venue/cultural-house-svet/") // these do not exist
}

func siteHost(site string) string {
	if site == "mono" {
		return "kalendar.example"
	}
	return site + ".example"
}

func readFeeds(t *testing.T, file string) (all []feedExchange) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x feedExchange
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		t.Fatalf("%d exchanges: %v", len(all), err)
	}
	return all
}

// askFeed sends a recorded request over HTTPS, as the recording's client did.
func askFeed(t *testing.T, url, home string, x *feedExchange) *feedAnswer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), x.Request.Method, url+x.Request.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.URL.Opaque, r.URL.RawQuery = x.Request.Path, "" // the recorded path verbatim
	r.Host = strings.TrimPrefix(home, "https://")
	r.Header.Set("X-Forwarded-Proto", "https")
	r.Header.Set("Accept-Encoding", "identity")
	for name, v := range x.Request.Headers {
		r.Header.Set(name, v)
	}
	client := http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := &feedAnswer{Status: res.StatusCode, Body: string(body), Headers: map[string]string{}}
	for name := range res.Header {
		got.Headers[strings.ToLower(name)] = res.Header.Get(name)
	}
	return got
}

// feedHeaders lists the headers that the application sets.
var feedHeaders = []string{
	"content-type", "content-disposition", "x-robots-tag", "location", "x-redirect-by", "cache-control", "expires", "set-cookie", "etag", "last-modified", "vary", "link",
}

// exportedIDs returns the ids of the events of an export.
func exportedIDs(body string) string {
	var ids []string
	for _, uid := range regexp.MustCompile(`(?m)^UID:(\d+)-`).FindAllStringSubmatch(body, -1) {
		ids = append(ids, uid[1])
	}
	return strings.Join(ids, ",")
}

// feedDiff returns the first difference between two responses, or "".
func feedDiff(want, got *feedAnswer) string {
	if want.Status != got.Status {
		return fmt.Sprintf("status %d, want %d", got.Status, want.Status)
	}
	if a, b := exportedIDs(want.Body), exportedIDs(got.Body); a != b && want.Body != "" {
		return fmt.Sprintf("events %s, want %s", b, a)
	}
	for _, name := range feedHeaders {
		if want.Headers[name] != got.Headers[name] {
			return fmt.Sprintf("%s: %q, want %q", name, got.Headers[name], want.Headers[name])
		}
	}
	if want.Body != got.Body {
		return "body: " + cmp.Diff(strings.Split(want.Body, "\r\n"), strings.Split(got.Body, "\r\n"))
	}
	return ""
}

// feedVectors holds the vectors of ../shared/vectors/ical.json.
type feedVectors struct {
	Cases []struct {
		Name    string
		Changes struct {
			Options         map[string]string
			CalendarOptions map[string]any `json:"calendar_options"`
			Postmeta        [][3]any
			Posts, Terms    [][3]any
		}
		Requests []struct {
			Path     string
			Response struct {
				feedAnswer
				SHA256 string `json:"body_sha256"`
			}
		}
	}
}

// TestFeedVectors requests the exports of changed sites.
func TestFeedVectors(t *testing.T) {
	oneAtATime(t)
	shared := testdata.Shared(t)
	data, err := os.ReadFile(filepath.Join(shared, "vectors", "ical.json"))
	if err != nil {
		t.Fatal(err)
	}
	var vectors feedVectors
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	profile := buildProfile(t, shared, "mono")
	same, left, different := 0, 0, 0
	for _, c := range vectors.Cases {
		db := wptest.SiteCopy(t, "sqlite", "mono")
		store := openStore(t, db)
		exec := func(query string, args ...any) {
			t.Helper()
			if _, err := store.SQL().ExecContext(t.Context(), query, args...); err != nil {
				t.Fatal(err)
			}
		}
		for name, value := range c.Changes.Options {
			exec("DELETE FROM wp_options WHERE option_name = ?", name)
			exec("INSERT INTO wp_options (option_name, option_value, autoload) VALUES (?, ?, 'on')", name, value)
		}
		if len(c.Changes.CalendarOptions) > 0 {
			const name = "tribe_events_calendar_options"
			var stored string
			if err := store.SQL().QueryRowContext(t.Context(), "SELECT option_value FROM wp_options WHERE option_name = ?", name).Scan(&stored); err != nil {
				t.Fatal(err)
			}
			options := phpserial.Array(stored)
			for key, value := range c.Changes.CalendarOptions {
				options.SetString(key, phpValue(value))
			}
			exec("UPDATE wp_options SET option_value = ? WHERE option_name = ?", phpserial.Serialize(options), name)
		}
		for _, m := range c.Changes.Postmeta {
			exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key = ?", m[0], m[1])
			if m[2] != nil {
				value := phpValue(m[2])
				if list, ok := value.(*php.Array); ok {
					value = phpserial.Serialize(list)
				}
				exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", m[0], m[1], value)
			}
		}
		for _, p := range c.Changes.Posts {
			exec("UPDATE wp_posts SET "+p[1].(string)+" = ? WHERE ID = ?", p[2], p[0])
		}
		for _, term := range c.Changes.Terms {
			exec("UPDATE wp_terms SET "+term[1].(string)+" = ? WHERE term_id = ?", term[2], term[0])
		}
		url := serveStore(t, store, "mono", db.Now, profile)
		for _, request := range c.Requests {
			var x feedExchange
			x.Request.Method, x.Request.Path = http.MethodGet, request.Path
			got, want := askFeed(t, url, "https://kalendar.example", &x), &request.Response.feedAnswer
			if sum := sha256.Sum256([]byte(got.Body)); request.Response.SHA256 == hex.EncodeToString(sum[:]) {
				want.Body = got.Body
			}
			if got.Status == http.StatusNotFound && strings.HasPrefix(got.Headers["content-type"], "text/plain") && c.Name == "slugs" {
				left++ // the address doesn't belong to the calendar
			} else if diff := feedDiff(want, got); diff != "" {
				different++
				t.Errorf("%s %s: %s", c.Name, request.Path, diff)
			} else {
				same++
			}
		}
	}
	t.Logf("%d same, %d different, %d left to WordPress", same, different, left)
}

// phpValue converts a JSON value to a PHP value.
func phpValue(v any) php.Value {
	switch v := v.(type) {
	case float64:
		return int64(v)
	case []any:
		list := &php.Array{}
		for _, e := range v {
			list.Append(phpValue(e))
		}
		return list
	}
	return v
}
