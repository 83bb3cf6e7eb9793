package purge

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"calbridge/rest/cachetag"
	"calbridge/rest/strictjson"
)

// File is the content of the file of --purge.
type File struct {
	// MaxAge limits the age of stored responses: s-maxage.
	MaxAge  time.Duration
	Targets []Target
}

// Target is a cache that is purged.
type Target struct {
	Provider Provider `json:"provider"`
	// Name is for metrics and the log; by default that of the provider.
	Name string `json:"name"`
	// URL is the address of the cache, or of the provider's API in place of the public one.
	URL string `json:"url"`
	// Method is PURGE or BAN; only of Varnish.
	Method string `json:"method"`
	// ID is Fastly's service or Cloudflare's zone.
	ID string `json:"id"`
	// TokenFile has the API token.
	TokenFile string `json:"token_file"`
	// Plan selects the rate of the provider's plan. Rate, in calls per second, and Burst replace it.
	Plan  string  `json:"plan"`
	Rate  float64 `json:"rate"`
	Burst int     `json:"burst"`

	token string
}

const (
	methodBan     = "BAN"
	methodPurge   = "PURGE"
	defaultMaxAge = time.Hour
	longestMaxAge = 30 * 24 * time.Hour
)

// Load reads the file of --purge and the tokens that it names.
func Load(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var in struct {
		MaxAge string   `json:"max_age"`
		Caches []Target `json:"caches"`
	}
	if err := strictjson.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object with max_age and caches: %w", name, err)
	}
	f := &File{MaxAge: defaultMaxAge, Targets: in.Caches}
	if in.MaxAge != "" {
		if f.MaxAge, err = time.ParseDuration(in.MaxAge); err != nil || f.MaxAge < time.Second || f.MaxAge > longestMaxAge {
			return nil, fmt.Errorf("%s: max_age: %q is not a duration between 1s and 720h; use a value such as 1h", name, in.MaxAge)
		}
	}
	if len(f.Targets) == 0 {
		return nil, fmt.Errorf("%s: caches is empty; name at least one cache", name)
	}
	names := map[string]bool{}
	for i := range f.Targets {
		t := &f.Targets[i]
		if err := t.complete(); err != nil {
			return nil, fmt.Errorf("%s: cache %d: %w", name, i+1, err)
		}
		if names[t.Name] {
			return nil, fmt.Errorf("%s: cache %d: the name %q is taken; set name", name, i+1, t.Name)
		}
		names[t.Name] = true
	}
	return f, nil
}

// complete checks a target, sets what is missing to the defaults, and reads its token.
func (t *Target) complete() error {
	t.Name = cmp.Or(t.Name, string(t.Provider))
	needsID, needsToken := false, false
	switch t.Provider {
	case Varnish:
		t.Method = cmp.Or(t.Method, methodPurge)
	case Fastly:
		t.URL, needsID, needsToken = cmp.Or(t.URL, "https://api.fastly.com"), true, true
	case Cloudflare:
		t.URL, needsID, needsToken = cmp.Or(t.URL, "https://api.cloudflare.com"), true, true
	case HTTP:
	default:
		return fmt.Errorf("provider: %q is not one of varnish, fastly, cloudflare, http", t.Provider)
	}
	if u, err := url.Parse(t.URL); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
		return fmt.Errorf("url: %q is not an address; use a value such as http://127.0.0.1:6081/", t.URL)
	}
	if needsID {
		t.URL = strings.TrimRight(t.URL, "/")
	}
	if t.Method != "" && (t.Provider != Varnish || !slices.Contains([]string{methodPurge, methodBan}, t.Method)) {
		return fmt.Errorf("method: %q is not PURGE or BAN of varnish", t.Method)
	}
	if needsID != (t.ID != "") {
		return errors.New("id: set it for fastly (the service) and cloudflare (the zone), and for no other provider")
	}
	if needsToken && t.TokenFile == "" {
		return errors.New("token_file: name the file with the API token")
	}
	at, ok := t.Provider.pace(t.Plan)
	if !ok {
		return fmt.Errorf("plan: %q is not a plan of %s; cloudflare has free, pro, business and enterprise", t.Plan, t.Provider)
	}
	if t.Rate < 0 || t.Rate > 1000 || t.Burst < 0 || t.Burst > 10000 {
		return errors.New("rate is at most 1000 calls per second, burst at most 10000")
	}
	t.Rate, t.Burst = cmp.Or(t.Rate, at.rate), cmp.Or(t.Burst, at.burst)
	if t.TokenFile == "" {
		return nil
	}
	token, err := os.ReadFile(t.TokenFile)
	if err != nil {
		return fmt.Errorf("token_file: %w", err)
	}
	t.token = strings.TrimSpace(string(token))
	if t.token == "" || strings.ContainsFunc(t.token, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return fmt.Errorf("token_file: %s doesn't hold one token", t.TokenFile)
	}
	return nil
}

// Lacks returns the format that a target's provider reads and that is not among formats, "" if there
// is none.
func (f *File) Lacks(formats []cachetag.Format) cachetag.Format {
	for _, t := range f.Targets {
		if format := t.Provider.Format(); format != "" && !slices.Contains(formats, format) {
			return format
		}
	}
	return ""
}

// Names returns the names of the targets.
func (f *File) Names() []string {
	names := make([]string, len(f.Targets))
	for i, t := range f.Targets {
		names[i] = t.Name
	}
	return names
}
