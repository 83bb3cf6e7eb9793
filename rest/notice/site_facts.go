package notice

import "slices"

// SiteFacts holds the companion plugin's report on the running site. A fact that the plugin could
// not establish, or that is out of range, has its zero value and a Problem.
type SiteFacts struct {
	WordPress string            `json:"wordpress"`
	Plugins   map[string]string `json:"plugins"`   // active, network-wide ones too: main file -> version
	MustUse   []string          `json:"must_use"`  // file names in mu-plugins
	DropIns   []string          `json:"drop_ins"`  // file names, such as object-cache.php
	Theme     Theme             `json:"theme"`     //
	Locale    string            `json:"locale"`    // of the site; en_US for English
	Texturize map[string]string `json:"texturize"` // translations by context, or by text without one
	Uploads   Uploads           `json:"uploads"`   //

	Excerpt

	RESTPrefix           string         `json:"rest_prefix"`
	PageCaps             map[string]int `json:"page_caps"`             // filter name -> what filters make of the default 50
	ApplicationPasswords bool           `json:"application_passwords"` // available, as for a visitor of the site's own address
	APIDisabled          bool           `json:"api_disabled"`          // the calendar's namespace has no routes
	CalendarTables       bool           `json:"calendar_tables"`       // lists are read from the calendar tables
	DBCharset            string         `json:"db_charset"`            // DB_CHARSET
	ConnectionCharset    string         `json:"connection_charset"`    // what WordPress's connection speaks: utf8mb4 for DB_CHARSET utf8

	// Hooks are the callbacks on the requested hooks, except those of core, TEC, Event Tickets,
	// WPML, Polylang and the companion itself.
	Hooks []Hook `json:"hooks"`

	// Visitors are callbacks, of the same code, whose own file reads who sent the request: they may
	// treat some visitors differently. It is nil if an older plugin reports.
	Visitors []VisitorHook `json:"visitors"`

	// Shortcodes are the registered shortcodes. Those of core that no plugin has replaced, and those
	// of the calendar that calbridge handles, are not among them. It is nil if an older plugin reports.
	Shortcodes []string `json:"shortcodes"`

	// Blocks are the registered blocks, except those of core, that may show something else than their
	// saved HTML: PHP renders them, or they have block supports that change HTML. It is nil if an
	// older plugin reports.
	Blocks []string `json:"blocks"`

	// Code are fingerprints of the code that WordPress runs, by part: "plugins/members",
	// "mu-plugins/a.php", "themes/b", "hook the_content", "php". A part changes with the names,
	// sizes and times of its files, or with its callbacks.
	Code map[string]string `json:"code"`

	Problems []Problem `json:"problems"`
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
	// Rendering is nil where an older plugin reports.
	Rendering *Rendering `json:"rendering,omitempty"`
}

// Rendering is what the theme and the site's own styles say about blocks and titles.
type Rendering struct {
	BlockGap    bool              `json:"block_gap"`    // there are gaps
	RootPadding bool              `json:"root_padding"` // useRootPaddingAwareAlignments
	Gap         string            `json:"gap"`          // the general gap, as CSS
	Gaps        map[string]string `json:"gaps"`         // of blocks, by name
	EmptyTitle  string            `json:"empty_title"`  // what filters make of no title
}

// Uploads is the uploads folder of the site, without the month's part.
type Uploads struct {
	BaseDir string `json:"base_dir"`
	BaseURL string `json:"base_url"`
}

// Excerpt is what filters make of excerpts.
type Excerpt struct {
	// ExcerptMore is the tail of an excerpt of ExcerptPost; themes link to the post there.
	ExcerptMore   string      `json:"excerpt_more"`
	ExcerptLength int         `json:"excerpt_length"`
	ExcerptPost   ExcerptPost `json:"excerpt_post"` // zero if the site has no published post
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

// VisitorHook is a callback whose own file reads who sent the request.
type VisitorHook struct {
	Hook
	// Reads are the names of PHP's server variables that the file reads, such as REMOTE_ADDR and
	// HTTP_USER_AGENT; "*" if it may read any.
	Reads []string `json:"reads"`
}

// Problem explains why a fact is missing. Fact is its JSON name.
type Problem struct {
	Fact    string `json:"fact"`
	Problem string `json:"problem"`
}

// Known reports whether a fact was reported without a problem: only then is its zero value a real
// value. name is its JSON name.
func (f *SiteFacts) Known(name string) bool {
	return f != nil && f.WordPress != "" && !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Fact == name })
}
