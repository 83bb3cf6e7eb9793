package settings

import (
	"calbridge/cmd/calbridge/companion"
	"calbridge/rest/wpauth"
)

// Site holds what wp-config.php and the theme define, except the database.
type Site struct {
	WordPressDir              string // "" for the folder of wp-config.php
	Home, SiteURL, ContentURL string // "" for those in the database
	UploadsConstant           string // UPLOADS
	MainBlogID                int64
	Environment               string
	WordPress                 string // version, "" for the one in the database
	Theme                     Theme
	ContentWidth              int // in pixels; 0 if the theme sets none
	DisallowUnfilteredHTML    bool
	CalendarTablesOff         bool
	EmptyTrashDays            int
	PostRevisions             int // 0 means all; a negative number means none
}

// Theme is a kind of theme.
type Theme string

// These are the kinds of themes. ThemeAuto derives the kind from the name of the site's theme.
const (
	ThemeAuto             Theme = "auto"
	ThemeTwentyTwentyFive Theme = "twentytwentyfive"
	ThemeClassicHTML5     Theme = "classic-html5"
	ThemeClassic          Theme = "classic"
)

func siteRows(w *Site) table {
	const g = GroupSite
	return table{
		{name: "wordpress-dir", common: true, arg: "DIR", group: g, help: "folder of WordPress, from which calbridge reads versions, theme, language packs and hooks (default: the folder of wp-config.php, or web/wp of a site on Bedrock)",
			set: into(&w.WordPressDir, text)},
		{name: "home", defined: true, arg: "URL", group: g, constant: "WP_HOME", help: "address of the site, instead of the one in the database",
			set: into(&w.Home, webURL)},
		{name: "siteurl", defined: true, arg: "URL", group: g, constant: "WP_SITEURL", help: "address of WordPress, instead of the one in the database",
			set: into(&w.SiteURL, webURL)},
		{name: "content-url", defined: true, arg: "URL", group: g, constant: "WP_CONTENT_URL", help: "address of the content folder, if not the default",
			set: into(&w.ContentURL, webURL)},
		{name: "uploads-constant", defined: true, arg: "FOLDER", group: g, constant: "UPLOADS", help: "uploads folder below the address of WordPress, if not the default",
			set: into(&w.UploadsConstant, text)},
		{name: "main-blog-id", defined: true, arg: "N", def: "1", group: g, constant: "BLOG_ID_CURRENT_SITE", help: "number of the main site of a multisite network; its uploads have no folder of their own",
			set: into(&w.MainBlogID, number[int64](1, 1<<40))},
		{name: "environment", defined: true, arg: "TYPE", def: "production", group: g, constant: "WP_ENVIRONMENT_TYPE", help: "local, development, staging or production; local allows application passwords without HTTPS",
			set: into(&w.Environment, text)},
		{name: "wordpress-version", arg: "VERSION", group: g, help: "WordPress release to be compatible with, such as 6.9 (default: the one in the database)",
			set: into(&w.WordPress, release)},
		{name: "theme", arg: "KIND", def: "auto", group: g, help: "kind of the site's theme: twentytwentyfive, classic-html5 (no theme.json), classic (no HTML5 captions and galleries either); auto depends on the theme's name",
			set: intoOneOf(&w.Theme, ThemeAuto, ThemeTwentyTwentyFive, ThemeClassicHTML5, ThemeClassic)},
		{name: "content-width", arg: "PIXELS", def: "0", group: g, help: "the theme's content width; 0 for none",
			set: into(&w.ContentWidth, number(0, 100_000))},
		{name: "disallow-unfiltered-html", defined: true, group: g, def: "false", constant: "DISALLOW_UNFILTERED_HTML", help: "filter the HTML of all users",
			set: into(&w.DisallowUnfilteredHTML, boolean)},
		{name: "calendar-tables-off", defined: true, group: g, def: "false", constant: "TEC_CUSTOM_TABLES_V1_DISABLED", wordPressEnv: "TEC_CUSTOM_TABLES_V1_DISABLED", help: "read the dates of events from post meta, whatever the database says; set this if the site sets TEC_CUSTOM_TABLES_V1_DISABLED as a constant or an environment variable",
			set: into(&w.CalendarTablesOff, boolean)},
		{name: "empty-trash-days", defined: true, arg: "N", def: "30", group: g, constant: "EMPTY_TRASH_DAYS", help: "number of days after which WordPress deletes trashed posts; with 0 events are deleted immediately",
			set: into(&w.EmptyTrashDays, number(0, 1_000_000))},
		{name: "post-revisions", defined: true, arg: "N", def: "all", group: g, constant: "WP_POST_REVISIONS", help: "revisions of each post: a number, all (true) or none (false)",
			set: into(&w.PostRevisions, revisions)},
	}
}

func companionRows(c *companion.Config) table {
	const g = GroupSite
	return table{
		{name: "companion-url", retired: "set --upstream, which is the address of WordPress for the companion plugin too", arg: "URL", group: g, help: "address of WordPress itself (PHP, not calbridge) with the companion plugin, which purges WordPress's caches after every write",
			set: into(&c.URL, text)},
		{name: "companion-host", retired: "set --upstream-host, which is the host name for the companion plugin too", arg: "NAME", group: g, help: "host name of the site, if --companion-url is a bare address",
			set: into(&c.Host, text)},
		{name: "companion-secret", common: true, arg: "TEXT", group: g, secret: true, constant: "CALBRIDGE_SECRET", help: "secret shared with the companion plugin at --upstream, at least 32 characters",
			set: into(&c.Secret, text)},
	}
}

// Login configures application passwords, cookies and nonces.
type Login struct {
	ApplicationPasswords string // auto, on or off
	RecordUse            bool
	Tries                int // failed logins per address before delays start; 0 means no limit
	Keys                 wpauth.Keys
	cookies              map[string]string // constants about cookies by name
}

// CookieConstant returns the value of one of wp-config.php's constants about cookies.
func (l *Login) CookieConstant(name string) (value string, defined bool) {
	value, defined = l.cookies[name]
	return value, defined
}

func loginRows(l *Login) table {
	const g = GroupLogins
	// Constants for cookies have no default, because it matters whether they are defined.
	cookie := func(name, constant, help string) setting {
		apply := func(v string) error {
			if l.cookies == nil {
				l.cookies = map[string]string{}
			}
			l.cookies[constant] = v
			return nil
		}
		return setting{name: name, defined: true, arg: "TEXT", group: g, constant: constant, help: help, set: setter{apply: apply}}
	}
	key := func(name, constant, what string, to *string) setting {
		return setting{
			name: name, defined: true, arg: "TEXT", group: g, secret: true, constant: constant,
			help: "the site's " + constant + what + " (default: from the database)", set: into(to, text),
		}
	}
	return table{
		{name: "application-passwords", arg: "WHEN", def: "auto", group: g, help: "accept application passwords: auto (with HTTPS or in a local environment, like WordPress), on or off",
			set: intoOneOf(&l.ApplicationPasswords, "auto", "on", "off")},
		{name: "record-password-use", group: g, def: "true", help: "record when and from where an application password was used; needs UPDATE on the user metadata table",
			set: into(&l.RecordUse, boolean)},
		{name: "login-tries", arg: "N", def: "10", group: g, help: "failed logins allowed per user name and address (an IPv6 /64 counts as one address), and user names that may fail per address, before delays start, which grow with each failure; a password that was accepted from there before is never delayed; 0 means unlimited; no effect with --compat exact",
			set: into(&l.Tries, number(0, 1_000_000))},
		cookie("cookiehash", "COOKIEHASH", "suffix of the site's cookie names, if wp-config.php defines it"),
		cookie("logged-in-cookie", "LOGGED_IN_COOKIE", "name of the login cookie, if wp-config.php defines it"),
		key("auth-key", "AUTH_KEY", "", &l.Keys.AuthKey),
		key("auth-salt", "AUTH_SALT", "", &l.Keys.AuthSalt),
		key("secure-auth-key", "SECURE_AUTH_KEY", "", &l.Keys.SecureAuthKey),
		key("secure-auth-salt", "SECURE_AUTH_SALT", "", &l.Keys.SecureAuthSalt),
		key("logged-in-key", "LOGGED_IN_KEY", "", &l.Keys.LoggedInKey),
		key("logged-in-salt", "LOGGED_IN_SALT", "", &l.Keys.LoggedInSalt),
		key("nonce-key", "NONCE_KEY", "", &l.Keys.NonceKey),
		key("nonce-salt", "NONCE_SALT", "", &l.Keys.NonceSalt),
		key("secret-key", "SECRET_KEY", ", used by old sites", &l.Keys.SecretKey),
		key("secret-salt", "SECRET_SALT", ", used by old sites", &l.Keys.SecretSalt),
	}
}
