package proof

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// HeaderRule is a constant header that WordPress adds to all responses under an address of the
// site, for example by a plugin for CORS, or that it removes or replaces there.
type HeaderRule struct {
	Name  string `json:"name"`
	Value string `json:"value"`          // "" if WordPress removes the header
	Site  string `json:"site,omitempty"` // as in Shape
	// Instead is the value of ours that WordPress removes or replaces, "" if ours lacks the header.
	Instead string `json:"instead,omitempty"`
}

// Means describes the rule in a few words.
func (r *HeaderRule) Means() string {
	switch {
	case r.Instead == "":
		return "header that WordPress always sends"
	case r.Value == "":
		return "header that WordPress never sends"
	}
	return "header that WordPress sends with another value"
}

// values returns the header in WordPress's responses, nil if it removes the header.
func (r *HeaderRule) values() []string {
	if r.Value == "" && r.Instead != "" {
		return nil
	}
	return []string{r.Value}
}

// concerns reports whether the rule changes a response with these headers.
func (r *HeaderRule) concerns(h http.Header) bool {
	if r.Instead == "" {
		_, has := h[r.Name]
		return !has
	}
	return slices.Equal(h[r.Name], []string{r.Instead})
}

// unlearnable are headers that differ between responses, or that carry something of one client.
var unlearnable = []string{
	"Age", "Allow", "Cache-Control", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Etag", "Expires", "Keep-Alive",
	"Last-Modified", "Link", "Location", "Retry-After", "Server-Timing", "Set-Cookie", "Trailer", "Transfer-Encoding", "Upgrade", "Vary",
	"Www-Authenticate", "X-Wp-Nonce",
}

// Bounds of what is learned: names and values come from WordPress.
const (
	maxHeaders     = 32
	maxHeaderName  = 100
	maxHeaderValue = 512
	maxSent        = 64 // requests whose responses' headers are stored
)

// learnable reports whether a header may become a rule. A header in which WordPress repeats part of
// the request may not, since clients send something else than comparisons.
func learnable(name, value string) bool {
	name = http.CanonicalHeaderKey(name)
	echoes := func(sent string) bool { return strings.Contains(strings.ToLower(value), strings.ToLower(sent)) }
	return !slices.Contains(unlearnable, name) && !strings.HasPrefix(name, "X-Tec-") && len(name) <= maxHeaderName && len(value) <= maxHeaderValue &&
		!echoes(ComparisonAddress) && !echoes(ComparisonAgent)
}

// What comparisons send to WordPress instead of what a client sends. It is the same for all
// comparisons: what one client may see because of who it is proves nothing for others.
const (
	// ComparisonAgent is the User-Agent.
	ComparisonAgent = "calbridge-comparison/1"
	// ComparisonAddress is the client's address, one for documentation only (RFC 5737).
	ComparisonAddress = "192.0.2.1"
)

// headerAt is a header under an address of the site.
type headerAt struct{ site, name string }

// candidate is a header that may become a rule.
type candidate struct {
	rule     HeaderRule
	requests map[uint64]struct{}
	first    time.Time
}

// meaningful are headers that count as differences even if WordPress's own responses disagree: they
// tell clients something about the response, or about themselves. So do all that begin with one of
// these.
var meaningful = []string{
	"Access-Control-", "Allow", "Cache-Control", "Content-", "Link", "Location", "Retry-After", "Set-Cookie", "Trailer", "Transfer-Encoding", "Upgrade",
	"Vary", "Www-Authenticate", "X-Tec-", "X-Wp-",
}

// Headers records which headers of WordPress's responses always differ from ours in the same way, and
// which vary although the request is the same, such as request numbers and times. It is safe for
// concurrent use.
type Headers struct {
	settings *Settings
	rules    atomic.Pointer[[]HeaderRule]

	mu         sync.Mutex
	candidates map[headerAt]*candidate
	varying    map[string]bool // by canonical name
	sent       map[uint64]sentHeaders
}

// sentHeaders are the headers of WordPress's last response to a request.
type sentHeaders struct {
	begun    Stamp
	header   http.Header
	differed []string // from the response before
}

// varied returns the headers in which WordPress's response to a request differs from its last one,
// which was otherwise the same, and in which that one differed from the one before it: a header may
// change once. It returns none if unchanged reports that rows have changed since.
func (h *Headers) varied(request uint64, begun Stamp, theirs http.Header, unchanged func(Stamp) bool) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	last, known := h.sent[request]
	if !known && len(h.sent) >= maxSent {
		clear(h.sent)
	}
	var differing, again []string
	if known && unchanged(last.begun) {
		differing = DifferingHeaders(last.header, theirs)
	}
	for _, name := range differing {
		if slices.Contains(last.differed, name) {
			again = append(again, name)
		}
	}
	h.sent[request] = sentHeaders{begun, theirs, differing}
	return again
}

// DifferingHeaders returns the names of the headers in which two responses differ.
func DifferingHeaders(a, b http.Header) (names []string) {
	for _, one := range []http.Header{a, b} {
		for name := range one {
			if !slices.Equal(a[name], b[name]) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func newHeaders(s *Settings) *Headers {
	h := &Headers{settings: s}
	h.reset()
	return h
}

// Varying lists the headers that vary, sorted. Responses of ours go without them.
func (h *Headers) Varying() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(maps.Keys(h.varying))
}

// vary records headers that differed between two responses of WordPress to one request while
// nothing had changed.
func (h *Headers) vary(names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range names {
		name = http.CanonicalHeaderKey(name)
		starts := func(start string) bool { return strings.HasPrefix(name, start) }
		if name == "Date" { // every server writes its own
			continue
		}
		if len(name) <= maxHeaderName && len(h.varying) < maxHeaders && !slices.ContainsFunc(meaningful, starts) {
			h.varying[name] = true
			maps.DeleteFunc(h.candidates, func(at headerAt, _ *candidate) bool { return at.name == name })
		}
	}
}

// align gives our response the varying headers that it lacks, for a comparison.
func (h *Headers) align(ours, theirs http.Header) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name := range h.varying {
		if _, has := ours[name]; !has && len(theirs[name]) > 0 {
			ours[name] = theirs[name]
		}
	}
}

// explain reports whether responses differ only in varying headers that ours lacks.
func (h *Headers) explain(fields []string, ours http.Header) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(field string) bool {
		name, isHeader := strings.CutPrefix(field, "headers ")
		name = http.CanonicalHeaderKey(name)
		_, has := ours[name]
		return !isHeader || has || !h.varying[name]
	})
}

// Rules lists the recorded rules, sorted by name.
func (h *Headers) Rules() []HeaderRule { return *h.rules.Load() }

// Apply adds, replaces and removes headers of a response under an address by the recorded rules, and
// returns those that concern it.
func (h *Headers) Apply(to http.Header, site string) (applied []HeaderRule) {
	for _, rule := range *h.rules.Load() {
		if rule.Site != site || !rule.concerns(to) {
			continue
		}
		if values := rule.values(); values != nil {
			to[rule.Name] = values
		} else {
			delete(to, rule.Name)
		}
		applied = append(applied, rule)
	}
	return applied
}

// restore adopts rules if none have been recorded.
func (h *Headers) restore(rules []HeaderRule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.Rules()) > 0 {
		return
	}
	kept := []HeaderRule{}
	for _, r := range rules {
		if len(kept) < maxHeaders && learnable(r.Name, r.Value) && r.Name != "" && !strings.ContainsFunc(r.Name+r.Value+r.Instead, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			kept = append(kept, r)
		}
	}
	h.rules.Store(&kept)
}

// refuted removes those of the applied rules that a response of WordPress contradicts, and reports
// whether there are any.
func (h *Headers) refuted(applied []HeaderRule, theirs http.Header) bool {
	wrong := slices.DeleteFunc(slices.Clone(applied), func(r HeaderRule) bool { return slices.Equal(theirs[r.Name], r.values()) })
	if len(wrong) == 0 {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := slices.DeleteFunc(slices.Clone(h.Rules()), func(r HeaderRule) bool { return slices.Contains(wrong, r) })
	h.rules.Store(&kept)
	h.candidates = map[headerAt]*candidate{}
	return true
}

// learn takes the rules that would make our response the same as WordPress's. A rule is learned after
// as many different requests as prove a shape, in as much time. A header with two values never
// leads to a rule.
func (h *Headers) learn(possible []HeaderRule, request uint64, now time.Time) (learned []HeaderRule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range possible {
		if h.varying[m.Name] || len(h.Rules()) >= maxHeaders {
			continue
		}
		at := headerAt{m.Site, m.Name}
		c := h.candidates[at]
		switch {
		case c == nil && len(h.candidates) >= maxHeaders:
			continue
		case c == nil:
			c = &candidate{rule: m, requests: map[uint64]struct{}{}, first: now}
			h.candidates[at] = c
		case c.rule != m:
			c.rule, c.requests, c.first = m, map[uint64]struct{}{}, now
		}
		if len(c.requests) < h.settings.Comparisons {
			c.requests[request] = struct{}{}
		}
		if len(c.requests) >= h.settings.Comparisons && now.Sub(c.first) >= h.settings.Time {
			learned = append(learned, m)
			delete(h.candidates, at)
		}
	}
	if len(learned) > 0 {
		rules := append(slices.Clone(h.Rules()), learned...)
		slices.SortFunc(rules, func(a, b HeaderRule) int {
			return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Site, b.Site))
		})
		h.rules.Store(&rules)
	}
	return learned
}

// reset forgets everything.
func (h *Headers) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rules.Store(&[]HeaderRule{})
	h.candidates, h.varying, h.sent = map[headerAt]*candidate{}, map[string]bool{}, map[uint64]sentHeaders{}
}
