package warmup

import (
	"slices"
	"strings"
	"testing"
)

// TestReadLog checks which lines of access logs become requests, and in which order.
func TestReadLog(t *testing.T) {
	line := func(request, status string) string {
		return `203.0.113.7 - - [28/Nov/2026:10:00:00 +0000] "` + request + `" ` + status + ` 512 "https://town.example/\"x" "Mozilla/5.0"` + "\n"
	}
	const root = "/wp-json/tribe/events/v1/"
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"empty", "", nil},
		{"most frequent first", line("GET "+root+"events HTTP/1.1", "200") + line("GET "+root+"events/7 HTTP/2.0", "200") + line("GET "+root+"events/7 HTTP/1.1", "304"), []string{root + "events/7", root + "events"}},
		{"query", line("GET "+root+"events?page=2&per_page=5 HTTP/1.1", "200"), []string{root + "events?page=2&per_page=5"}},
		{"index, another language, below a directory", line("GET /shop/en"+root[:len(root)-1]+" HTTP/1.1", "200"), []string{"/shop/en" + root[:len(root)-1]}},
		{"not found", line("GET "+root+"events/9 HTTP/1.1", "404"), []string{root + "events/9"}},
		{"other methods", line("POST "+root+"events HTTP/1.1", "200") + line("HEAD "+root+"events HTTP/1.1", "200"), nil},
		{"refused and failed", line("GET "+root+"events HTTP/1.1", "401") + line("GET "+root+"events HTTP/1.1", "500"), nil},
		{"another namespace", line("GET /wp-json/wp/v2/posts HTTP/1.1", "200") + line("GET /wp-json/tribe/events/v10/events HTTP/1.1", "200"), nil},
		{"secrets", line("GET "+root+"events/7?password=x HTTP/1.1", "200") + line("GET "+root+"events?_wpnonce=x HTTP/1.1", "200"), nil},
		{"another host", line("GET https://elsewhere.example"+root+"events HTTP/1.1", "200") + line("GET //elsewhere.example"+root+"events HTTP/1.1", "200"), nil},
		{"common format", `203.0.113.7 - - [28/Nov/2026:10:00:00 +0000] "GET ` + root + `tags HTTP/1.1" 200 7` + "\n", []string{root + "tags"}},
		{"Caddy", `{"level":"info","request":{"method":"GET","host":"town.example","uri":"` + root + `venues?page=2"},"status":200}` + "\n" + `{"request":{"method":"PUT","uri":"` + root + `venues"},"status":200}` + "\n{not JSON\n", []string{root + "venues?page=2"}},
		{"too long", line("GET "+root+"events?search="+strings.Repeat("x", maxLine)+" HTTP/1.1", "200") + line("GET "+root+"tags HTTP/1.1", "200"), []string{root + "tags"}},
		{"no newline at the end", strings.TrimSuffix(line("GET "+root+"tags HTTP/1.1", "200"), "\n"), []string{root + "tags"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadLog(strings.NewReader(c.log), "tribe/events/v1")
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}

// FuzzReadLog checks that whatever is in a log, requests stay on the site, in the namespace, and on one
// line.
func FuzzReadLog(f *testing.F) {
	f.Add(`"GET /wp-json/tribe/events/v1/events?x=%0a HTTP/1.1" 200`)
	f.Add(`{"request":{"method":"GET","uri":"/wp-json/tribe/events/v1/"},"status":200}`)
	f.Fuzz(func(t *testing.T, log string) {
		got, err := ReadLog(strings.NewReader(log), "tribe/events/v1")
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range got {
			if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") || strings.ContainsAny(target, " \r\n") || !strings.Contains(target, "/tribe/events/v1") {
				t.Errorf("%q", target)
			}
		}
	})
}
