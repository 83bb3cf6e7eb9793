package rollout

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/proof"
	"calbridge/wpstore/invalidation"
)

// browser returns what Chromium sends through a proxy, and two of a proxy's.
func browser() http.Header {
	return http.Header{
		"Accept": {"application/json"}, "Accept-Encoding": {"gzip, deflate, br, zstd"}, "Accept-Language": {"cs,en;q=0.8"}, "Cache-Control": {"no-cache"}, "Dnt": {"1"},
		"Priority": {"u=1, i"}, "Referer": {"https://town.example/"}, "Sec-Ch-Ua": {`"Chromium";v="140"`}, "Sec-Ch-Ua-Mobile": {"?0"}, "Sec-Ch-Ua-Platform": {`"Linux"`},
		"Sec-Fetch-Dest": {"empty"}, "Sec-Fetch-Mode": {"cors"}, "Sec-Fetch-Site": {"same-origin"}, "User-Agent": {"Mozilla/5.0"}, "Cookie": {"_ga=GA1.1; _pk_id.1=2"},
		"X-Forwarded-For": {"203.0.113.7"}, "X-Forwarded-Proto": {"https"}, "Cf-Ray": {"8f1"}, "Traceparent": {"00-1-2-01"},
	}
}

// TestJudgeHeaders: what browsers, proxies and libraries send may be answered by calbridge. Any other
// header, and any other cookie, goes to WordPress.
func TestJudgeHeaders(t *testing.T) {
	o := NewOrdinaryHeaders([]string{"x-company-trace", "x-geo-*"})
	if why := o.judge(browser()); why != proof.None {
		t.Errorf("a browser: %s", why)
	}
	for _, c := range []struct {
		name, value string
		want        proof.Reason
	}{
		{"X-Company-Trace", "1", proof.None},
		{"X-Geo-Town", "Brno", proof.None},
		{"X-Api-Key", "k", proof.NotOrdinary},
		{"X_api_key", "k", proof.NotOrdinary}, // the same to PHP
		{"User_agent", "PartnerApp", proof.NotOrdinary},
		{"Origin", "https://other.example", proof.NotOrdinary},
		{"X-Company", "1", proof.NotOrdinary},
		{"X-Forwarded-User", "ann", proof.NotOrdinary},
		{"X-Forwarded-Email", "a@b.example", proof.NotOrdinary},
		{"X-Forwarded-Client-Cert", "Hash=1", proof.NotOrdinary},
		{"Cf-Access-Jwt-Assertion", "e30", proof.NotOrdinary},
		{"X-Appengine-User-Email", "a@b.example", proof.NotOrdinary},
		{"X-Original-Url", "/wp-json/", proof.NotOrdinary},
		{"X-Rewrite-Url", "/wp-json/", proof.NotOrdinary},
		{"Sec-Token-Binding", "1", proof.NotOrdinary},
		{"Authorization", "", proof.NotAnonymous},
		{"X-Wp-Nonce", "", proof.NotAnonymous},
		{"Cookie", "_ga=1; _fbp=2", proof.None},
		{"Cookie", "", proof.None},
		{"Cookie", "member=1", proof.NotAnonymous},
		{"Cookie", "wp@member=1", proof.NotAnonymous}, // net/http drops what follows, up to the next row
		{"Cookie", "my member=1", proof.NotAnonymous},
		{"Cookie", "_ga=1; a[b]=1", proof.NotAnonymous},
		{"Cookie", "_ga=1;\tč=1", proof.NotAnonymous},
		{"Cookie", "member", proof.NotAnonymous},
	} {
		h := browser()
		h[c.name] = []string{c.value}
		if got := o.judge(h); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.name, c.value, got, c.want)
		}
	}
	h := browser()
	if n := testing.AllocsPerRun(100, func() { o.judge(h) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestTellsWho: variables of PHP that tell visitors apart are those of ordinary headers; the others
// go to WordPress anyway.
func TestTellsWho(t *testing.T) {
	o := NewOrdinaryHeaders([]string{"X-Company-*"})
	for variable, want := range map[string]bool{
		"REMOTE_ADDR": true, "HTTP_X_FORWARDED_FOR": true, "HTTP_CLIENT_IP": true, "HTTP_X_REAL_IP": true, "HTTP_CF_CONNECTING_IP": true, "HTTP_CF_IPCOUNTRY": true,
		"HTTP_USER_AGENT": true, "HTTP_REFERER": true, "HTTP_ACCEPT_LANGUAGE": true, "HTTP_ACCEPT": true, "HTTP_SEC_CH_UA": true, "HTTP_X_COMPANY_ROLE": true, "GEOIP_COUNTRY_CODE": true, "*": true,
		"HTTP_X_API_KEY": false, "HTTP_COOKIE": false, "HTTP_AUTHORIZATION": false, "HTTP_X_WP_NONCE": false, "HTTP_ORIGIN": false, "HTTP_HOST": false,
		"HTTP_X_FORWARDED_PROTO": false, "HTTP_IF_NONE_MATCH": false, "HTTP_ACCEPT_ENCODING": false,
	} {
		if got := o.TellsWho(variable); got != want {
			t.Errorf("%s: %t", variable, got)
		}
	}
}

// TestOneClientProvesNothing: WordPress shows an event to clients that send something of their own.
// However often they ask, what it refuses to others is not shown to others.
func TestOneClientProvesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		header []string
		shown  func(r *http.Request) bool
	}{
		{"User-Agent", []string{"User-Agent: PartnerApp/2"}, func(r *http.Request) bool { return strings.Contains(r.UserAgent(), "PartnerApp") }},
		{"Accept", []string{"Accept: application/vnd.partner+json"}, func(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "partner") }},
		{"Accept-Language", []string{"Accept-Language: cs"}, func(r *http.Request) bool { return r.Header.Get("Accept-Language") == "cs" }},
		{"Origin", []string{"Origin: https://partner.example"}, func(r *http.Request) bool { return r.Header.Get("Origin") != "" }},
		{"Referer", []string{"Referer: https://partner.example/"}, func(r *http.Request) bool { return r.Referer() != "" }},
		{"https", []string{"X-Forwarded-Proto: https"}, func(r *http.Request) bool { return r.Header.Get("X-Forwarded-Proto") == "https" }},
		{"X-Api-Key", []string{"X-Api-Key: k"}, func(r *http.Request) bool { return r.Header.Get("X-Api-Key") != "" }},
		{"address", []string{"X-Forwarded-For: 203.0.113.9"}, func(r *http.Request) bool { return r.Header.Get("X-Forwarded-For") == "203.0.113.9" }},
		{"cookie", []string{"Cookie: wp@member=1"}, func(r *http.Request) bool { return r.Header.Get("Cookie") != "" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			tracker := invalidation.NewTracker()
			s := newSides(t, Plan{Mode: Auto, Clients: 100}, proves(tracker))
			tracker.Resume(true)
			s.native.body = "same"
			s.wp.answers(func(w http.ResponseWriter, r *http.Request) {
				if !c.shown(r) {
					w.WriteHeader(http.StatusForbidden)
					_, _ = io.WriteString(w, "refused")
					return
				}
				_, _ = io.WriteString(w, "same")
			})
			for range 4 {
				if status, body := s.send("GET", events, "", c.header...); status != 200 || body != "same" {
					t.Errorf("the client itself: %d %q", status, body)
				}
				s.quiet()
			}
			if status, body := s.send("GET", events, ""); status != http.StatusForbidden || body != "refused" {
				t.Errorf("a stranger: %d %q", status, body)
			}
		})
	}
}

// TestComparisonIsConstant: of a client's request a comparison has the target and the scheme alone.
func TestComparisonIsConstant(t *testing.T) {
	tracker := invalidation.NewTracker()
	s := newSides(t, Plan{Mode: Auto, Clients: 100}, proves(tracker))
	tracker.Resume(true)
	for _, proto := range []string{"http", "https"} {
		s.send("GET", events, "", "User-Agent: PartnerApp", "Accept: text/x", "Accept-Language: cs", "Referer: https://a.example/", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: "+proto, "If-None-Match: W/1", "Sec-Ch-Ua: x")
		s.quiet()
		got, _ := s.wp.last()
		want := http.Header{"User-Agent": {proof.ComparisonAgent}, "X-Forwarded-For": {proof.ComparisonAddress}, "X-Forwarded-Host": {"town.example"}, "X-Forwarded-Proto": {proto}, Marker: {"1"}}
		if !maps.EqualFunc(got.Header, want, slices.Equal) || got.Host != "town.example" {
			t.Errorf("%v, want %v", got.Header, want)
		}
	}
	if shapes := s.h.Prover.Report().Shapes; len(shapes) != 2 {
		t.Errorf("one shape for two schemes: %+v", shapes)
	}
}

// TestOneClientClosesNothing: WordPress blocks a client. Its requests end no proof of others.
func TestOneClientClosesNothing(t *testing.T) {
	for _, header := range []string{"User-Agent: BadBot", "Accept-Language: xx", "Referer: https://spam.example/", "X-Forwarded-For: 203.0.113.66", "X-Forwarded-Proto: https", "Origin: https://spam.example", "X-Spam: 1"} {
		t.Run(header, func(t *testing.T) {
			tracker := invalidation.NewTracker()
			s := newSides(t, Plan{Mode: Auto, Clients: 100}, proves(tracker))
			tracker.Resume(true)
			s.native.body = "same"
			name, value, _ := strings.Cut(header, ": ")
			s.wp.answers(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get(name) == value {
					w.WriteHeader(http.StatusForbidden)
				}
				_, _ = io.WriteString(w, "same")
			})
			s.send("GET", events, "")
			s.quiet()
			asked := s.wp.count()
			for range 4 {
				s.send("GET", events, "", header)
				s.quiet()
			}
			before := s.native.answered()
			if status, body := s.send("GET", events, ""); status != 200 || body != "same" || s.native.answered() != before+1 {
				t.Errorf("others: %d %q; WordPress was asked %d times", status, body, s.wp.count()-asked)
			}
			if r := s.h.Prover.Report(); r.Closed > 1 || len(r.Endings) > 0 {
				t.Errorf("closed %d, ended %v", r.Closed, r.Endings)
			}
		})
	}
}

// TestAcceptedHeader: a header that the operator takes for ordinary doesn't go to WordPress.
func TestAcceptedHeader(t *testing.T) {
	for accepted, want := range map[string]int{"": 0, "X-Company-*": 1} {
		t.Run(fmt.Sprintf("%q", accepted), func(t *testing.T) {
			tracker := invalidation.NewTracker()
			s := newSides(t, Plan{Mode: Auto, Clients: 100}, proves(tracker), func(c *Config) { c.OrdinaryHeaders = []string{accepted} })
			tracker.Resume(true)
			s.native.body = "same"
			s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "same") })
			s.send("GET", events, "")
			s.quiet()
			before := s.native.answered()
			s.send("GET", events, "", "X-Company-Trace: 1")
			if got := s.native.answered() - before; got != want {
				t.Errorf("%d native answers, want %d", got, want)
			}
		})
	}
}
