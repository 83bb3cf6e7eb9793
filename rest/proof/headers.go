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
// site, for example by a plugin for CORS.
type HeaderRule struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Site  string `json:"site,omitempty"` // as in Shape
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
	value    string
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

// Headers records which headers of WordPress's responses are constant, and which vary although the
// request is the same, such as request numbers and times. It is safe for concurrent use.
type Headers struct {
	settings *Settings
	rules    atomic.Pointer[[]HeaderRule]

	mu         sync.Mutex
	candidates map[headerAt]*candidate
	varying    map[string]bool // by canonical name
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

// Add adds the recorded headers that a response under an address lacks, and returns them.
func (h *Headers) Add(to http.Header, site string) (added []HeaderRule) {
	for _, rule := range *h.rules.Load() {
		if _, has := to[rule.Name]; !has && rule.Site == site {
			to[rule.Name] = []string{rule.Value}
			added = append(added, rule)
		}
	}
	return added
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
		if len(kept) < maxHeaders && learnable(r.Name, r.Value) && r.Name != "" && !strings.ContainsFunc(r.Name+r.Value, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			kept = append(kept, r)
		}
	}
	h.rules.Store(&kept)
}

// refuted removes those of the added rules that a response of WordPress contradicts, and reports
// whether there are any.
func (h *Headers) refuted(added []HeaderRule, theirs http.Header) bool {
	wrong := slices.DeleteFunc(slices.Clone(added), func(r HeaderRule) bool { return slices.Equal(theirs[r.Name], []string{r.Value}) })
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

// learn takes the headers of WordPress's response that ours lacks, which is otherwise the same. A
// header becomes a rule after as many different requests as prove a shape, in as much time. A
// header with two values never does.
func (h *Headers) learn(missing []HeaderRule, request uint64, now time.Time) (learned []HeaderRule) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range missing {
		if h.varying[m.Name] {
			continue
		}
		at := headerAt{m.Site, m.Name}
		c := h.candidates[at]
		switch {
		case c == nil && len(h.candidates) >= maxHeaders:
			continue
		case c == nil:
			c = &candidate{value: m.Value, requests: map[uint64]struct{}{}, first: now}
			h.candidates[at] = c
		case c.value != m.Value:
			c.value, c.requests, c.first = m.Value, map[uint64]struct{}{}, now
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
	h.candidates, h.varying = map[headerAt]*candidate{}, map[string]bool{}
}
