package replay

import (
	"bytes"
	"context"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/testdata"
)

// A server that responds exactly as recorded passes with every available recording.
func TestReferenceRecordingsReplayWithoutDifferences(t *testing.T) {
	shared := testdata.Shared(t)
	names := []string{"mono", "poly", "wpml"}
	if testing.Short() {
		names = names[:1] // for the race detector, one is like the other
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			siteFile := filepath.Join(shared, "sites", name+".json")
			site, err := recording.LoadSite(siteFile)
			if err != nil {
				t.Fatal(err)
			}
			globs := []string{filepath.Join(shared, "recordings", name, "*.jsonl.gz")}
			files, err := recording.ExpandGlobs(globs)
			if err != nil {
				t.Fatal(err)
			}
			server := compattest.ReplayServer(t, files, site, nil)
			var out bytes.Buffer
			report, err := Compare(context.Background(), Options{
				Target: server.URL, Recordings: globs, Site: siteFile, Out: &out,
				Selection: Selection{OutOfScope: filepath.Join(shared, "recordings", "out-of-scope.txt")},
			})
			if err != nil || report.ExitCode() != ExitSame {
				t.Errorf("exit %d, error %v:\n%s", report.ExitCode(), err, diff.Head(out.String(), 3000))
			}
			if report.Same < 1000 || report.SkippedBy[ReasonWrites] == 0 || report.SkippedBy[ReasonOutOfScope] == 0 {
				t.Errorf("same %d, skipped %v", report.Same, report.SkippedBy)
			}
			if l := report.Latency; l.Count != report.Same || l.MinMS <= 0 || l.P50MS < l.MinMS || l.P99MS < l.P50MS || l.MaxMS < l.P99MS {
				t.Errorf("latency %+v", l)
			}
		})
	}
}

func TestCompareFindsMutations(t *testing.T) {
	const body = `{"id":5,"title":"A \u010d &#8220;b&#8221;","cost":"10","all_day":false,"image":{"url":"https:\/\/town.example\/a.jpg","sizes":{}},` +
		`"tags":[{"id":1,"name":"x"},{"id":2,"name":"y"}],"venue":[],"price":1.0e+25}`
	mutations := []struct {
		name   string
		mutate func(*recording.Response)
		want   string // part of the reported line
	}{
		{"status", func(r *recording.Response) { r.Status = 404 }, "status: recorded 200 OK, got 404 Not Found"},
		{"header gone", func(r *recording.Response) { delete(r.Headers, "vary") }, `headers vary: recorded "Origin", got (absent)`},
		{"header changed", func(r *recording.Response) { r.Headers["vary"] = recording.HeaderValues{"Accept"} }, `headers vary: recorded "Origin", got "Accept"`},
		{"header added", func(r *recording.Response) { r.Headers["x-new"] = recording.HeaderValues{"1"} }, `headers x-new: recorded (absent), got "1"`},
		{"header twice", func(r *recording.Response) { r.Headers["vary"] = recording.HeaderValues{"Origin", "Origin"} }, `headers vary`},
		{"key missing", compattest.Replace(`"cost":"10",`, ``), `body $.cost: recorded "10", got (absent)`},
		{"key added", compattest.Replace(`"cost":"10"`, `"cost":"10","currency":"CZK"`), `body $.currency: recorded (absent), got "CZK"`},
		{"key order", compattest.Replace(`"id":5,"title":"A \u010d &#8220;b&#8221;"`, `"title":"A \u010d &#8220;b&#8221;","id":5`), "body $: recorded members in the order id, title"},
		{"text to number", compattest.Replace(`"cost":"10"`, `"cost":10`), `body $.cost: recorded text "10", got number 10`},
		{"boolean to text", compattest.Replace(`"all_day":false`, `"all_day":"0"`), `body $.all_day: recorded boolean false, got text "0"`},
		{"other boolean", compattest.Replace(`"all_day":false`, `"all_day":true`), `body $.all_day: recorded false, got true`},
		{"object to list", compattest.Replace(`"sizes":{}`, `"sizes":[]`), `body $.image.sizes: recorded object {}, got list []`},
		{"list to null", compattest.Replace(`"venue":[]`, `"venue":null`), `body $.venue: recorded list [], got null null`},
		{"value in a list", compattest.Replace(`"name":"y"`, `"name":"z"`), `body $.tags[1].name: recorded "y", got "z"`},
		{"list shorter", compattest.Replace(`,{"id":2,"name":"y"}`, ``), `body $.tags: recorded 2 items, got 1 items`},
		{"list reordered", compattest.Replace(`{"id":1,"name":"x"},{"id":2,"name":"y"}`, `{"id":2,"name":"y"},{"id":1,"name":"x"}`), `body $.tags[0].id: recorded 1, got 2`},
		{"slash not escaped", compattest.Replace(`https:\/\/`, `https://`), `body $.image.url`},
		{"character not escaped", compattest.Replace(`\u010d`, `č`), `body $.title`},
		{"number spelt otherwise", compattest.Replace(`1.0e+25`, `1e25`), `body $.price: recorded 1.0e+25, got 1e25`},
		{"white space", compattest.Replace(`"id":5,`, `"id": 5,`), `body byte 6`},
		{"newline at the end", func(r *recording.Response) { r.Body += "\n" }, `body byte`},
		{"body empty", func(r *recording.Response) { r.Body = "" }, `body byte 0`},
		{"no JSON", func(r *recording.Response) { r.Body = "<b>Fatal error</b>" }, `body byte 0`},
	}
	x := compattest.Exchange("town-0001", "GET", "/wp-json/tribe/events/v1/events/5", body)
	file := compattest.WriteRecording(t, "reads.jsonl", x)
	site := compattest.TownSite(t)
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			server := compattest.ReplayServer(t, []string{file}, nil, func(_ *recording.Exchange, r *recording.Response) { m.mutate(r) })
			var out bytes.Buffer
			report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Site: site, Out: &out})
			if err != nil {
				t.Fatal(err)
			}
			if report.ExitCode() != ExitFailed || len(report.Differing) != 1 {
				t.Fatalf("exit %d, %d differing", report.ExitCode(), len(report.Differing))
			}
			if !strings.Contains(out.String(), m.want) || !strings.Contains(out.String(), "town-0001 GET /wp-json/") {
				t.Errorf("line %q lacks %q", out.String(), m.want)
			}
			if strings.Count(out.String(), "\n") != 1 {
				t.Errorf("not one line: %q", out.String())
			}
		})
	}
}

func TestCompareScopeSelectionAndOrder(t *testing.T) {
	var lines []any
	for _, id := range []string{"a-1", "a-2", "a-3", "b-1", "b-2"} {
		lines = append(lines, compattest.Exchange(id, "GET", "/wp-json/tribe/events/v1/events?x="+id, `{"id":1}`))
	}
	page := compattest.Exchange("html", "GET", "/xx/wp-json/", "<!DOCTYPE html>")
	page.Response.Status = 404
	page.Response.Headers = map[string]recording.HeaderValues{"content-type": {"text/html; charset=UTF-8"}, "x-theme": {"1"}}
	lines = append(lines, page)
	file := compattest.WriteRecording(t, "reads.jsonl", lines...)
	server := compattest.ReplayServer(t, []string{file}, nil, func(x *recording.Exchange, r *recording.Response) {
		if x.ID == "html" {
			r.Headers = map[string]recording.HeaderValues{"content-type": {"text/html; charset=UTF-8"}}
			r.Body = "<html>another theme</html>"
			return
		}
		r.Body = `{"id":2}`
	})
	base := Options{Target: server.URL, Recordings: []string{file}, Site: compattest.TownSite(t)}

	t.Run("scope and order", func(t *testing.T) {
		o := base
		o.OutOfScope = compattest.WriteFile(t, "scope.txt", "# comment\nskip\ta-2\tGET /x -> 200\nstatus a-3 GET /y\n")
		var out bytes.Buffer
		o.Out, o.Concurrency = &out, 3
		report, err := Compare(context.Background(), o)
		if err != nil || report.Same != 2 || report.Different != 3 || report.SkippedBy[ReasonOutOfScope] != 1 {
			t.Fatalf("error %v, %+v", err, report)
		}
		var ids []string
		for _, r := range report.Differing {
			ids = append(ids, r.ID)
		}
		if strings.Join(ids, " ") != "a-1 b-1 b-2" {
			t.Errorf("order %v", ids)
		}
	})
	t.Run("run pattern", func(t *testing.T) {
		o := base
		o.Run = regexp.MustCompile(`^b-|x=a-1`)
		report, err := Compare(context.Background(), o)
		if err != nil || report.Different != 3 || report.SkippedBy[ReasonFilter] != 3 {
			t.Fatalf("error %v, %+v", err, report)
		}
	})
	t.Run("filter", func(t *testing.T) {
		o := base
		o.Filter = func(x *recording.Exchange) bool { return x.ID == "html" }
		report, err := Compare(context.Background(), o)
		if err != nil || report.Same != 1 || report.ExitCode() != ExitSame {
			t.Fatalf("error %v, %+v", err, report)
		}
	})
	t.Run("nothing selected", func(t *testing.T) {
		o := base
		o.Run = regexp.MustCompile("no such id")
		report, err := Compare(context.Background(), o)
		if err == nil || report.ExitCode() != ExitUsage {
			t.Fatalf("error %v, exit %d", err, report.ExitCode())
		}
	})
	t.Run("fail fast", func(t *testing.T) {
		o := base
		o.FailFast = true
		report, err := Compare(context.Background(), o)
		if err != nil || report.Different != 1 || !report.Stopped || report.ExitCode() != ExitFailed {
			t.Fatalf("error %v, %+v", err, report)
		}
	})
}

func TestCompareExitCodes(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	login := compattest.Exchange("b", "GET", "/wp-json/", `{}`)
	login.As = "nobody"
	loginFile := compattest.WriteRecording(t, "reads.jsonl", login)
	server := compattest.ReplayServer(t, []string{file}, nil, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := "http://" + listener.Addr().String()
	listener.Close()
	site := compattest.TownSite(t)
	for _, c := range []struct {
		name string
		o    Options
		want int
		text string
	}{
		{"unreachable", Options{Target: free, Recordings: []string{file}, Site: site}, ExitUnreachable, "cannot be reached"},
		{"no target", Options{Recordings: []string{file}, Site: site}, ExitUsage, "is not a URL"},
		{"target with a path", Options{Target: "http://x/wp-json", Recordings: []string{file}, Site: site}, ExitUsage, "host and port only"},
		{"no recordings", Options{Target: server.URL, Recordings: []string{file + ".none"}, Site: site}, ExitUsage, "no recording matches"},
		{"bad pattern", Options{Target: server.URL, Recordings: []string{"["}, Site: site}, ExitUsage, "bad pattern"},
		{"no site", Options{Target: server.URL, Recordings: []string{file}, Site: file + ".none"}, ExitUsage, "site file"},
		{"bad site", Options{Target: server.URL, Recordings: []string{file}, Site: compattest.WriteFile(t, "s.json", `{"home":"x"}`)}, ExitUsage, "not an http"},
		{"unknown login", Options{Target: server.URL, Recordings: []string{loginFile}, Site: site}, ExitUsage, "no application password"},
		{"login without site", Options{Target: server.URL, Recordings: []string{loginFile}}, ExitUsage, "--site"},
		{"bad scope", Options{Target: server.URL, Recordings: []string{file}, Site: site, Selection: Selection{OutOfScope: compattest.WriteFile(t, "o", "drop x\n")}}, ExitUsage, `expected "skip <id>"`},
		{"bad line", Options{Target: server.URL, Recordings: []string{compattest.WriteFile(t, "r", "{}\n")}, Site: site}, ExitUsage, "r:1:"},
		{"same", Options{Target: server.URL, Recordings: []string{file}, Site: site}, ExitSame, ""},
		{"same without site", Options{Target: server.URL, Recordings: []string{file}}, ExitSame, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := Compare(context.Background(), c.o)
			if report.ExitCode() != c.want {
				t.Errorf("exit %d, want %d (%v)", report.ExitCode(), c.want, err)
			}
			if c.text != "" && (err == nil || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("error %v, want %q in one line", err, c.text)
			}
		})
	}
}

func TestCompareTargetThatHangsIsADifference(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
		}
	}()
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	report, err := Compare(context.Background(), Options{Target: "http://" + listener.Addr().String(), Recordings: []string{file}, Timeout: 100 * time.Millisecond})
	if err != nil || report.Different != 1 || report.Differing[0].Differences[0].Part != diff.PartAnswer {
		t.Fatalf("error %v, %+v", err, report)
	}
}

func TestCompareCancelled(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	server := compattest.ReplayServer(t, []string{file}, nil, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	report, err := Compare(ctx, Options{Target: server.URL, Recordings: []string{file}})
	if err == nil || report.ExitCode() == ExitSame {
		t.Fatalf("error %v, exit %d", err, report.ExitCode())
	}
}

func TestCompareUnderAnotherNamespace(t *testing.T) {
	const body = `{"rest_url":"https:\/\/town.example\/wp-json\/NS\/events\/5"}`
	recording := func(name, escaped string) string {
		x := compattest.Exchange("a", "GET", "/wp-json/"+name+"/events/5", strings.ReplaceAll(body, "NS", escaped))
		x.Response.Headers["x-tec-api-root"] = recording.HeaderValues{"https://town.example/wp-json/" + name}
		return compattest.WriteRecording(t, "reads.jsonl", x)
	}
	recorded := recording("tribe/events/v1", `tribe\/events\/v1`)
	served := recording("calendar/events/v1", `calendar\/events\/v1`)
	server := compattest.ReplayServer(t, []string{served}, nil, nil)
	o := Options{Target: server.URL, Recordings: []string{recorded}, TargetNamespace: "calendar/events/v1"}
	if report, err := Compare(context.Background(), o); err != nil || report.Same != 1 {
		t.Errorf("error %v, differing %v", err, report.Differing)
	}
}
