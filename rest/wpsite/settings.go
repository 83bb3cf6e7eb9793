package wpsite

import (
	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/wpstore/php"
)

// Settings are what is known of the site besides its database.
type Settings struct {
	// Namespace of the interface, without slashes at its ends.
	Namespace string
	// RESTPrefix is the first path segment of WordPress's REST API: wp-json.
	RESTPrefix string
	// Home and SiteURL replace the options of the same name (WP_HOME, WP_SITEURL).
	Home, SiteURL string
	// ContentURL is WP_CONTENT_URL where wp-config.php defines it.
	ContentURL string
	// Constant looks up the cookie constants of wp-config.php (COOKIEHASH,
	// LOGGED_IN_COOKIE and so on); nil for none.
	Constant func(name string) (string, bool)
	// Theme holds the facts about the site's theme, which no table tells.
	Theme wptext.Theme
	// DisallowUnfilteredHTML is the constant of wp-config.php.
	DisallowUnfilteredHTML bool
	// WordPress is the version to agree with, such as "6.9"; "" derives it from
	// the database's db_version.
	WordPress string
	// Compat says how far fidelity to the reference's own faults goes.
	Compat api.Compat
	// Profile is the wording recorded off the site; nil leaves ours.
	Profile *api.Profile
	// LanguageParam names the parameter that chooses a language; "" is language_code.
	LanguageParam string
	// Languages are the codes that the interface promises on a site without a
	// language plugin; nil: it has no language parameter.
	Languages []string
	// StaticBlocks and Shortcodes are what is known of other plugins; see
	// [wptext.Site].
	StaticBlocks, Shortcodes []string
}

func (s *Settings) CookieConstant(name string) (string, bool) {
	if s.Constant == nil {
		return "", false
	}
	return s.Constant(name)
}

// releases maps the option db_version to the first WordPress release that has
// it, newest first. Older releases than the last one count as that.
var releases = []struct {
	dbVersion int64
	release   string
}{
	{61833, "7.0"}, {60717, "6.9"}, {0, "6.8"},
}

// wordPressVersion is the release to agree with: the setting, else what
// db_version says.
func (s *Settings) wordPressVersion(dbVersion string) string {
	if s.WordPress != "" {
		return s.WordPress
	}
	n := php.ToInt(dbVersion)
	for _, r := range releases {
		if n >= r.dbVersion {
			return r.release
		}
	}
	return releases[0].release
}
