package settings

import (
	"calbridge/cmd/calbridge/companion"
	"calbridge/rest/wpauth"
)

// Site is what wp-config.php and the theme define, but not the database.
type Site struct {
	WordPressDir              string // "" for the folder of wp-config.php
	Home, SiteURL, ContentURL string // "" for those in the database
	UploadsConstant           string // UPLOADS
	MainBlogID                int64
	Environment               string
	WordPress                 string // version, "" for that in the database
	Theme                     Theme
	ContentWidth              int // pixels, 0 for none
	DisallowUnfilteredHTML    bool
	CalendarTablesOff         bool
	EmptyTrashDays            int
	PostRevisions             int // 0 all, less than 0 none
}

// Theme is a kind of theme.
type Theme string

// The kinds of themes. ThemeAuto depends on the name of the site's theme.
const (
	ThemeAuto             Theme = "auto"
	ThemeTwentyTwentyFive Theme = "twentytwentyfive"
	ThemeClassicHTML5     Theme = "classic-html5"
	ThemeClassic          Theme = "classic"
)

func siteRows(w *Site) table {
	const g = GroupSite
	return table{
		{name: "wordpress-dir", arg: "DIR", group: g, help: "folder of WordPress, whose versions, theme, language packs and hooks are read; by default the folder of wp-config.php",
			set: into(&w.WordPressDir, text)},
		{name: "home", arg: "URL", group: g, constant: "WP_HOME", help: "address of the site, instead of the one in the database",
			set: into(&w.Home, webURL)},
		{name: "siteurl", arg: "URL", group: g, constant: "WP_SITEURL", help: "address of WordPress, instead of the one in the database",
			set: into(&w.SiteURL, webURL)},
		{name: "content-url", arg: "URL", group: g, constant: "WP_CONTENT_URL", help: "address of the content folder, if not the usual one",
			set: into(&w.ContentURL, webURL)},
		{name: "uploads-constant", arg: "FOLDER", group: g, constant: "UPLOADS", help: "folder of the uploads below the address of WordPress, if not the usual one",
			set: into(&w.UploadsConstant, text)},
		{name: "main-blog-id", arg: "N", def: "1", group: g, constant: "BLOG_ID_CURRENT_SITE", help: "number of the main site of a multisite network, whose uploads have no folder of their own",
			set: into(&w.MainBlogID, number[int64](1, 1<<40))},
		{name: "environment", arg: "TYPE", def: "production", group: g, constant: "WP_ENVIRONMENT_TYPE", help: "local, development, staging or production; local allows application passwords without HTTPS",
			set: into(&w.Environment, text)},
		{name: "wordpress-version", arg: "VERSION", group: g, help: "release of WordPress to be compatible with, such as 6.9; by default that in the database",
			set: into(&w.WordPress, release)},
		{name: "theme", arg: "KIND", def: "auto", group: g, help: "kind of the site's theme: twentytwentyfive, classic-html5 (no theme.json), classic (no HTML5 captions and galleries either); auto depends on the theme's name",
			set: intoOneOf(&w.Theme, ThemeAuto, ThemeTwentyTwentyFive, ThemeClassicHTML5, ThemeClassic)},
		{name: "content-width", arg: "PIXELS", def: "0", group: g, help: "the theme's content width, 0 for none",
			set: into(&w.ContentWidth, number(0, 100_000))},
		{name: "disallow-unfiltered-html", group: g, def: "false", constant: "DISALLOW_UNFILTERED_HTML", help: "filter the HTML of all users",
			set: into(&w.DisallowUnfilteredHTML, boolean)},
		{name: "calendar-tables-off", group: g, def: "false", constant: "TEC_CUSTOM_TABLES_V1_DISABLED", wordPressEnv: "TEC_CUSTOM_TABLES_V1_DISABLED", help: "read the dates of events from post meta, whatever the database says; set where the site has the constant or the environment variable TEC_CUSTOM_TABLES_V1_DISABLED",
			set: into(&w.CalendarTablesOff, boolean)},
		{name: "empty-trash-days", arg: "N", def: "30", group: g, constant: "EMPTY_TRASH_DAYS", help: "days after which WordPress deletes trashed posts; with 0 events are deleted at once",
			set: into(&w.EmptyTrashDays, number(0, 1_000_000))},
		{name: "post-revisions", arg: "N", def: "all", group: g, constant: "WP_POST_REVISIONS", help: "revisions of each post: a number, all (true) or none (false)",
			set: into(&w.PostRevisions, revisions)},
	}
}

func companionRows(c *companion.Config) table {
	const g = GroupSite
	return table{
		{name: "companion-url", arg: "URL", group: g, help: "address of WordPress itself (PHP, not calbridge), with the companion plugin, which then invalidates WordPress's caches after every write",
			set: into(&c.URL, text)},
		{name: "companion-host", arg: "NAME", group: g, help: "host name of the site, where companion-url is a bare address",
			set: into(&c.Host, text)},
		{name: "companion-secret", arg: "TEXT", group: g, secret: true, constant: "CALBRIDGE_SECRET", help: "secret shared with the companion plugin, at least 32 characters",
			set: into(&c.Secret, text)},
	}
}

// Login is about application passwords, cookies and nonces.
type Login struct {
	ApplicationPasswords string // auto, on or off
	RecordUse            bool
	Tries                int // wrong passwords of an address before it has to wait, 0 for unlimited
	Keys                 wpauth.Keys
	cookies              map[string]string // constants about cookies, by name
}

// CookieConstant looks up a constant of wp-config.php about cookies.
func (l *Login) CookieConstant(name string) (value string, defined bool) {
	value, defined = l.cookies[name]
	return value, defined
}

func loginRows(l *Login) table {
	const g = GroupLogins
	// A constant for cookies has no default: it makes a difference whether it is defined.
	cookie := func(name, constant, help string) setting {
		apply := func(v string) error {
			if l.cookies == nil {
				l.cookies = map[string]string{}
			}
			l.cookies[constant] = v
			return nil
		}
		return setting{name: name, arg: "TEXT", group: g, constant: constant, help: help, set: setter{apply: apply}}
	}
	key := func(name, constant, what string, to *string) setting {
		return setting{
			name: name, arg: "TEXT", group: g, secret: true, constant: constant,
			help: "the site's " + what + " of this name; by default that in the database", set: into(to, text),
		}
	}
	return table{
		{name: "application-passwords", arg: "WHEN", def: "auto", group: g, help: "accept application passwords: auto (with HTTPS or in a local environment, as WordPress), on or off",
			set: intoOneOf(&l.ApplicationPasswords, "auto", "on", "off")},
		{name: "record-password-use", group: g, def: "true", help: "record when and from where an application password was used; needs UPDATE on the table of user metadata",
			set: into(&l.RecordUse, boolean)},
		{name: "login-tries", arg: "N", def: "10", group: g, help: "wrong passwords for a user name from an address (an IPv6 /64 counts as one) before it has to wait, longer after each, and names that may fail from it; a password accepted there before never waits; 0 means unlimited; no effect with --compat exact",
			set: into(&l.Tries, number(0, 1_000_000))},
		cookie("cookiehash", "COOKIEHASH", "suffix of the names of the site's cookies, where wp-config.php defines it"),
		cookie("logged-in-cookie", "LOGGED_IN_COOKIE", "name of the login cookie, where wp-config.php defines it"),
		key("auth-key", "AUTH_KEY", "key", &l.Keys.AuthKey),
		key("auth-salt", "AUTH_SALT", "salt", &l.Keys.AuthSalt),
		key("secure-auth-key", "SECURE_AUTH_KEY", "key", &l.Keys.SecureAuthKey),
		key("secure-auth-salt", "SECURE_AUTH_SALT", "salt", &l.Keys.SecureAuthSalt),
		key("logged-in-key", "LOGGED_IN_KEY", "key", &l.Keys.LoggedInKey),
		key("logged-in-salt", "LOGGED_IN_SALT", "salt", &l.Keys.LoggedInSalt),
		key("nonce-key", "NONCE_KEY", "key", &l.Keys.NonceKey),
		key("nonce-salt", "NONCE_SALT", "salt", &l.Keys.NonceSalt),
		key("secret-key", "SECRET_KEY", "key of old sites", &l.Keys.SecretKey),
		key("secret-salt", "SECRET_SALT", "salt of old sites", &l.Keys.SecretSalt),
	}
}
