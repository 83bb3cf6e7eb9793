package wpsite

import (
	"cmp"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wptext"
	"calbridge/wpstore/php"
)

// Settings describe the site where its database does not.
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
	// Theme describes the site's theme.
	Theme wptext.Theme
	// DisallowUnfilteredHTML is the constant of wp-config.php.
	DisallowUnfilteredHTML bool
	// APIDisabled says that the site has switched the namespace off in another way than by
	// the plugin's option.
	APIDisabled bool
	// WordPress is the version to imitate, such as "6.9"; "" derives it from the
	// database's db_version.
	WordPress string
	// Compat is the level of fidelity to the reference's own faults.
	Compat api.Compat
	// Profile is the wording recorded off the site; nil is ours.
	Profile *api.Profile
	// LanguageParam names the parameter that chooses a language; "" is language_code.
	LanguageParam string
	// Languages are the codes that the interface offers on a site without a language
	// plugin; nil: it has no language parameter.
	Languages []string
	// StaticBlocks and Shortcodes are those of other plugins; see [wptext.Site].
	StaticBlocks, Shortcodes []string
}

// LanguageParameter is the name of the language parameter.
func (s *Settings) LanguageParameter() string { return cmp.Or(s.LanguageParam, "language_code") }

// CookieConstant looks up a constant of wp-config.php.
func (s *Settings) CookieConstant(name string) (value string, ok bool) {
	if s.Constant != nil {
		value, ok = s.Constant(name)
	}
	return value, ok
}

// Languages are the languages that the interface offers on a site: those of the language
// plugin or, without one, of the settings.
type Languages struct {
	i18n.Languages
	// Roots: the URL chooses a language.
	Roots bool
	// Offered are the codes that the parameter accepts; nil: there is none.
	Offered []string
}

// newLanguages decides what is offered. Polylang itself offers neither roots nor a
// parameter, and so does exact.
func newLanguages(found i18n.Languages, cfg *Settings) Languages {
	l := Languages{Languages: found}
	switch {
	case found.Plugin == i18n.NoPlugin:
		l.Offered = cfg.Languages
	case found.Plugin == i18n.WPML || !cfg.Compat.Exact():
		l.Roots, l.Offered = true, found.Codes()
	}
	return l
}

// release is a WordPress release, with the option db_version from it on.
type release struct {
	dbVersion int64
	name      string
}

// releases has the newest first. Older releases than the last one count as that.
var releases = []release{{61833, "7.0"}, {60717, "6.9"}, {0, "6.8"}}

// wordPressVersion is the release to imitate: the setting, else that of db_version.
func (s *Settings) wordPressVersion(dbVersion string) string {
	n := php.ToInt(dbVersion)
	i := slices.IndexFunc(releases, func(r release) bool { return n >= r.dbVersion })
	return cmp.Or(s.WordPress, releases[max(i, 0)].name)
}
