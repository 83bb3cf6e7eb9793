package settings

import "calbridge/cmd/calbridge/companion"

// Site is what wp-config.php and the theme say of the site, and its database does
// not.
type Site struct {
	Home, SiteURL, ContentURL string // "" for what the database says
	Environment               string
	WordPress                 string // version, "" for what the database says
	Theme                     Theme
	ContentWidth              int // pixels, 0 for none
	DisallowUnfilteredHTML    bool
	EmptyTrashDays            int
	PostRevisions             int // 0 all, less than 0 none
}

// Theme is a kind of theme.
type Theme string

// The kinds of themes. ThemeAuto goes by the name of the site's theme.
const (
	ThemeAuto             Theme = "auto"
	ThemeTwentyTwentyFive Theme = "twentytwentyfive"
	ThemeClassicHTML5     Theme = "classic-html5"
	ThemeClassic          Theme = "classic"
)

func siteRows(w *Site) table {
	const g = GroupSite
	return table{
		{name: "home", arg: "URL", group: g, constant: "WP_HOME", help: "address of the site, instead of the one in the database",
			set: webURL(&w.Home)},
		{name: "siteurl", arg: "URL", group: g, constant: "WP_SITEURL", help: "address of WordPress, instead of the one in the database",
			set: webURL(&w.SiteURL)},
		{name: "content-url", arg: "URL", group: g, constant: "WP_CONTENT_URL", help: "address of the content folder, where it is another than usual",
			set: webURL(&w.ContentURL)},
		{name: "environment", arg: "TYPE", def: "production", group: g, constant: "WP_ENVIRONMENT_TYPE", help: "local, development, staging or production; local allows application passwords without HTTPS",
			set: text(&w.Environment)},
		{name: "wordpress-version", arg: "VERSION", group: g, help: "release of WordPress to agree with, such as 6.9; without it the database tells",
			set: release(&w.WordPress)},
		{name: "theme", arg: "KIND", def: "auto", group: g, help: "what the site's theme is like: twentytwentyfive, classic-html5 (no theme.json), classic (nor HTML5 captions and galleries); auto goes by the theme's name",
			set: oneOf(&w.Theme, ThemeAuto, ThemeTwentyTwentyFive, ThemeClassicHTML5, ThemeClassic)},
		{name: "content-width", arg: "PIXELS", def: "0", group: g, help: "the theme's content width, 0 for none",
			set: number(&w.ContentWidth, 0, 100_000)},
		{name: "disallow-unfiltered-html", group: g, def: "false", constant: "DISALLOW_UNFILTERED_HTML", help: "nobody may write HTML unfiltered",
			set: boolean(&w.DisallowUnfilteredHTML)},
		{name: "empty-trash-days", arg: "N", def: "30", group: g, constant: "EMPTY_TRASH_DAYS", help: "days that WordPress keeps trashed posts; with 0 deleted events are gone at once",
			set: number(&w.EmptyTrashDays, 0, 1_000_000)},
		{name: "post-revisions", arg: "N", def: "all", group: g, constant: "WP_POST_REVISIONS", help: "revisions kept of each post: a number, all (true) or none (false)",
			set: revisions(&w.PostRevisions)},
	}
}

func companionRows(c *companion.Config) table {
	const g = GroupSite
	return table{
		{name: "companion-url", arg: "URL", group: g, help: "address at which WordPress itself answers (PHP, not calbridge); with it, and the companion plugin there, WordPress's caches hear of every write",
			set: text(&c.URL)},
		{name: "companion-host", arg: "NAME", group: g, help: "host name of the site, where companion-url is a bare address",
			set: text(&c.Host)},
		{name: "companion-secret", arg: "TEXT", group: g, secret: true, constant: "CALBRIDGE_SECRET", help: "what the companion plugin knows us by, 32 characters at least",
			set: text(&c.Secret)},
	}
}
