package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"calbridge/rest/notice"
)

// factsVersion is the format of facts that this client and the plugin speak.
const factsVersion = 1

// Bounds of the hooks that one request may name; the plugin refuses more.
const (
	MaxHooks    = 200
	MaxHookName = 100
)

// ErrNoFacts says that WordPress has no route for facts: the plugin is not installed, is
// older than version 2, or has no secret.
var ErrNoFacts = notice.ErrNoFacts

// Facts is what the companion plugin reports of the running site. A fact that the plugin
// could not establish, or that is out of its range, has its zero value and a Problem.
type Facts struct {
	WordPress string            `json:"wordpress"`
	PHP       string            `json:"php"`
	Plugins   map[string]string `json:"plugins"`  // active, network-wide ones too: main file -> version
	MustUse   []string          `json:"must_use"` // file names in mu-plugins
	DropIns   []string          `json:"drop_ins"` // file names, such as object-cache.php
	Theme     Theme             `json:"theme"`
	Locale    string            `json:"locale"`    // of the site; en_US for English
	Texturize map[string]string `json:"texturize"` // wptexturize's marks by context of the string
	Uploads   Uploads           `json:"uploads"`

	// ExcerptMore is what filters make of the tail of an excerpt of ExcerptPost; themes
	// link to the post there.
	ExcerptMore   string      `json:"excerpt_more"`
	ExcerptLength int         `json:"excerpt_length"`
	ExcerptPost   ExcerptPost `json:"excerpt_post"` // zero if the site has no published post

	RESTPrefix           string         `json:"rest_prefix"`
	PageCaps             map[string]int `json:"page_caps"`             // filter name -> what filters make of the default 50
	ApplicationPasswords bool           `json:"application_passwords"` // available, as for a visitor of the site's own address
	APIDisabled          bool           `json:"api_disabled"`          // the calendar's namespace has no routes
	CalendarTables       bool           `json:"calendar_tables"`       // lists are read from the calendar tables
	DBCharset            string         `json:"db_charset"`            // DB_CHARSET
	ConnectionCharset    string         `json:"connection_charset"`    // what WordPress's connection speaks: utf8mb4 for DB_CHARSET utf8

	// Hooks are hooked callbacks that are not core's, TEC's, Event Tickets', WPML's,
	// Polylang's or the companion's own, for the names of the request.
	Hooks []Hook `json:"hooks"`

	Problems []Problem `json:"problems"` // the last field
}

// Theme is the active theme.
type Theme struct {
	Stylesheet   string   `json:"stylesheet"`
	Template     string   `json:"template"`
	Version      string   `json:"version"`
	Block        bool     `json:"block"`
	JSON         bool     `json:"json"`  // the theme or its parent has a theme.json
	HTML5        []string `json:"html5"` // what add_theme_support('html5') names
	ContentWidth int      `json:"content_width"`
	ContentSize  string   `json:"content_size"` // layout.contentSize of the merged theme.json
}

// Uploads is the uploads folder of the site, without the month's part.
type Uploads struct {
	BaseDir string `json:"base_dir"`
	BaseURL string `json:"base_url"`
}

// ExcerptPost is the public post that ExcerptMore was made for.
type ExcerptPost struct {
	ID    int    `json:"id"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// Hook is a callback on a filter or action. File is relative to ABSPATH; "" for PHP's own
// functions, and "(outside)/name.php" for files outside of WordPress's folders.
type Hook struct {
	Name     string `json:"name"`
	Callback string `json:"callback"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Priority int    `json:"priority"`
}

// Problem says why a fact is missing. Fact is its JSON name.
type Problem struct {
	Fact    string `json:"fact"`
	Problem string `json:"problem"`
}

// Known says that an answer has a fact without a problem: then its zero value means what it
// says. name is its JSON name.
func (f Facts) Known(name string) bool {
	return !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Fact == name })
}

// Facts asks the plugin about the running site, and for the callbacks on the hooks of these
// names. The error is [ErrNoFacts] where WordPress has no such route.
func (c *Client) Facts(ctx context.Context, hooks []string) (Facts, error) {
	if c == nil {
		return Facts{}, fmt.Errorf("no --companion-url is configured: %w", ErrNoFacts)
	}
	query, err := factsQuery(hooks)
	if err != nil {
		return Facts{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.factsTimeout)
	defer cancel()
	text, err := c.QueryFacts(ctx, query)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the companion plugin did not report its facts within %s: see whether PHP is overloaded or a plugin's filter hangs: %w", c.factsTimeout, err)
		}
		return Facts{}, err
	}
	return decodeFacts(text, hooks)
}

// factsQuery is the body of a request for facts.
func factsQuery(hooks []string) ([]byte, error) {
	if len(hooks) > MaxHooks {
		return nil, fmt.Errorf("%d names of hooks, at most %d are allowed", len(hooks), MaxHooks)
	}
	for _, name := range hooks {
		if !hookName().MatchString(name) {
			return nil, fmt.Errorf("%.120q is no name of a hook", name)
		}
	}
	if hooks == nil {
		hooks = []string{}
	}
	return json.Marshal(map[string]any{"hooks": hooks})
}

// decodeFacts reads what the plugin has signed. Facts of a wrong type are an error: no
// version of the plugin sends them. Missing and impossible values become problems.
func decodeFacts(text []byte, hooks []string) (Facts, error) {
	const update = "install the companion plugin of this calbridge's release"
	var there map[string]json.RawMessage
	if err := json.Unmarshal(text, &there); err != nil {
		return Facts{}, fmt.Errorf("the companion plugin's facts are no JSON object: %s: %w", update, err)
	}
	var version int
	if err := json.Unmarshal(there["version"], &version); err != nil || version != factsVersion {
		return Facts{}, fmt.Errorf("the companion plugin's facts have format %.20q, this calbridge reads format %d: %s", there["version"], factsVersion, update)
	}
	var f Facts
	if err := json.Unmarshal(text, &f); err != nil {
		return Facts{}, fmt.Errorf("the companion plugin's facts are not understood: %s: %w", update, err)
	}
	for _, name := range factNames() {
		if raw, ok := there[name]; f.Known(name) && (!ok || string(raw) == "null") {
			f.Problems = append(f.Problems, Problem{name, "is missing in the answer"})
		}
	}
	f.validate(hooks)
	return f, nil
}

// factNames are the JSON names of the fields of Facts in their order, without the last,
// the problems.
func factNames() []string {
	var names []string
	facts := reflect.TypeFor[Facts]()
	for i := range facts.NumField() - 1 {
		names = append(names, facts.Field(i).Tag.Get("json"))
	}
	return names
}
