package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// known500 are the server errors that the reference answers too, and this server
// repeats: all others are defects.
var known500 = map[string]bool{
	"internal_server_error": true, // _method[]=
	// What WordPress's own functions refuse to write.
	"empty_content": true, "db_insert_error": true, "empty_term_name": true, "invalid_term_name": true, "duplicate_term_slug": true,
	"could-not-delete-event": true, "could-not-delete-venue": true, "could-not-delete-organizer": true,
}

// FuzzServer sends anything to the whole server: any method, target, header and body, as any
// user. The server must respond with a status that blames the request, not the server, and with
// a body that fits its content type.
func FuzzServer(f *testing.F) {
	for _, requests := range recordedRequests {
		for _, line := range requests {
			words := strings.SplitN(line, " ", 4)
			target := words[2]
			if !strings.HasPrefix(target, "/") {
				target = testBase + "/" + target
			}
			f.Add(words[1], target, "", "", "", byte(len(words[0])))
		}
	}
	const form, multipart = "application/x-www-form-urlencoded", "multipart/form-data; boundary=b"
	f.Add("POST", testBase+"/events", form, "title=x&start_date=2027-01-01&end_date=tomorrow&venue[]=201&categories=a,b&image=401", "Origin: null", byte(1))
	f.Add("POST", testBase+"/events", multipart, "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx\r\n--b--\r\n", "", byte(2))
	f.Add("PUT", testBase+"/venues/201", jsonType, `{"venue":{"a":[null,1.5,"\ud83d\ude00"]},"author":1e9,"date":"now"}`, "X-HTTP-Method-Override: DELETE", byte(3))
	f.Add("PATCH", testBase+"/organizers/by-slug/friends?_method=PUT", "", "website=http://a.example&image=5", "", byte(4))
	f.Add("DELETE", "/?rest_route="+testBase[8:]+"/tags/41&_envelope&_pretty&_jsonp=f&_fields=a.b", form, "rest_route=/x", "X-WP-Nonce: abc", byte(5))
	f.Add("GET", testBase+"/events?search=%22a+-b&venue=1e2,201&organizer[][]=3&include=0x1&geoloc=1&start_date=@5&ends_before=%00&status[]=", "", "", "Cookie: wordpress_logged_in_x=a|1|b|c", byte(0))
	f.Add("GET", testBase+"/categories/34?_embed=up,x&context=edit&_envelope[]=1", "", "", "Authorization: Basic Og==", byte(0))
	f.Add("GET", testBase+"/events?_method[]=x", "", "", "", byte(0))

	s := newTestSite(f, func(c *Config) { c.SiteRefresh = 1 << 60 })
	logins := []string{"", "adela", "edita", "alois", "karel", "sona"}
	f.Fuzz(func(t *testing.T, method, target, contentType, body, header string, as byte) {
		s.t = t
		a := ask{method: method, target: "/" + strings.TrimPrefix(target, "/"), contentType: contentType, body: body, header: http.Header{}}
		if as%2 == 0 {
			a.as = logins[int(as/2)%len(logins)]
		}
		if name, v, ok := strings.Cut(header, ": "); ok && name != "X-Forwarded-Proto" {
			a.header.Set(name, v)
		}
		// These never arrive over HTTP: the web server and Go's refuse them before.
		if method == "" || strings.ContainsAny(method+a.target, " \r\n") {
			return
		}
		got := s.do(a)
		if s.seen.Panicked {
			t.Fatalf("panic: %s", got.body)
		}
		kind := got.header.Get("Content-Type")
		isJSON := strings.HasPrefix(kind, "application/json")
		if isJSON && got.body != "" && !json.Valid([]byte(got.body)) {
			t.Fatalf("broken JSON: %.500q", got.body)
		}
		if got.status >= 500 && !known500[s.seen.Code] {
			t.Fatalf("%d %s: %v", got.status, s.seen.Code, s.seen.Err)
		}
		if got.status < 200 || got.status > 599 {
			t.Fatalf("status %d", got.status)
		}
		if (method == http.MethodHead || isJSON && s.seen.Bytes == 0) && got.body != "" {
			t.Fatalf("a body of %d bytes", len(got.body))
		}
		if method != http.MethodHead && got.body == "" && got.status != http.StatusNoContent && !strings.EqualFold(overridden(a), http.MethodHead) {
			t.Fatalf("status %d without a body", got.status)
		}
		for name, values := range got.header {
			for _, v := range values {
				if strings.ContainsAny(v, "\r\n\x00") {
					t.Fatalf("header %s: %q", name, v)
				}
			}
		}
	})
}

// overridden returns the method that a request asks for by other means.
func overridden(a ask) string {
	if _, rest, ok := strings.Cut(a.target, "_method"); ok {
		for _, m := range []string{"HEAD", "head", "%"} {
			if strings.Contains(strings.ToLower(rest), strings.ToLower(m)) {
				return http.MethodHead
			}
		}
	}
	return a.header.Get("X-Http-Method-Override")
}
