package wpsite

import (
	"cmp"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/shortcode"
	"calbridge/wpstore"
	"calbridge/wpstore/langpack"
	"calbridge/wpstore/php"
)

// Settings describe the site where its database does not.
type Settings struct {
	// RESTPrefix is the first path segment of WordPress's REST API: wp-json.
	RESTPrefix string
	// Home and SiteURL replace the options of the same name (WP_HOME, WP_SITEURL).
	Home, SiteURL string
	// Uploads locates the uploads.
	Uploads Uploads
	// Constant looks up the cookie constants of wp-config.php (COOKIEHASH,
	// LOGGED_IN_COOKIE and so on); nil for none.
	Constant func(name string) (string, bool)
	// Theme describes the site's theme.
	Theme wptext.Theme
	// DisallowUnfilteredHTML is the constant of wp-config.php.
	DisallowUnfilteredHTML bool
	// APIDisabled reports that the site has switched the namespace off in another way than by the
	// plugin's option.
	APIDisabled bool
	// Traits are those of the site's versions; nil derives them from WordPress and the
	// database.
	Traits trait.Set
	// Language has the texts of the site's own language packs.
	Language Language
	// WordPress is the version to imitate, such as "6.9"; "" derives it from the
	// database's db_version.
	WordPress string
	// Compat is the level of fidelity to the reference's own faults.
	Compat api.Compat
	// Profile is the wording recorded from the site; nil is ours.
	Profile *api.Profile
	// LanguageParam names the parameter that chooses a language; "" is language_code.
	LanguageParam string
	// Languages are the codes that the interface offers on a site without a language
	// plugin; nil: it has no language parameter.
	Languages []string
	// PluginBlocks and Shortcodes are those of other plugins.
	PluginBlocks wptext.PluginBlocks
	Shortcodes   shortcode.Foreign
}

// Language has the texts of the site's own language packs.
type Language struct {
	// Packs translate messages; nil: they are not known.
	Packs *langpack.Packs
	// Further are the packs of the other languages of a language plugin, by locale.
	Further map[string]*langpack.Packs
	// Texts are those of [langpack.Texts] that are known, by name.
	Texts map[string]string
}

// packsOf returns the packs of a language of a language plugin, nil where they are not known.
// Packs has the locale siteLocale.
func (l *Language) packsOf(language *i18n.Language, siteLocale string) *langpack.Packs {
	switch {
	case language == nil:
		return nil
	case language.Locale == siteLocale:
		return l.Packs
	}
	return l.Further[language.Locale]
}

// Uploads are the constants of wp-config.php that decide where the uploads are, and the
// numbers of the site and of the main site in a network; 0 is 1.
type Uploads struct {
	ContentURL, Constant string // WP_CONTENT_URL and UPLOADS
	Site, MainSite       int64
}

// URL returns the address of the uploads of a site at siteURL.
func (u *Uploads) URL(facts *wpstore.SiteFacts, siteURL string, https bool) string {
	uploads := wptext.Uploads{
		SiteURL: trimSlashes(siteURL), ContentURL: u.ContentURL, Constant: u.Constant, URLPath: facts.UploadURLPath, Path: facts.UploadPath,
		Rewritten: facts.Multisite && facts.RewrittenFiles,
	}
	if facts.Multisite && cmp.Or(u.Site, 1) != cmp.Or(u.MainSite, 1) {
		uploads.Subsite = cmp.Or(u.Site, 1)
	}
	return uploads.URL(https)
}

// LanguageParameter returns the name of the language parameter.
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
	// Roots reports that the URL chooses a language.
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

// traits returns the traits in the settings, or else those of the versions in the database. Holes
// of old versions are repeated only under exact (known difference S15).
func (s *Settings) traits(facts *wpstore.SiteFacts) trait.Set {
	set := s.Traits
	if set == nil {
		set = databaseTraits(s.WordPress, facts)
	}
	if s.Compat.Exact() {
		return set
	}
	return set.WithoutHoles()
}

func databaseTraits(wordpress string, facts *wpstore.SiteFacts) trait.Set {
	version := ""
	if facts.Calendar != nil {
		version = php.ToString(facts.Calendar.At("latest_ecp_version"))
	}
	return trait.SetOf(trait.Versions{trait.WordPressCore: cmp.Or(wordpress, trait.Release(facts.DBVersion)), trait.Calendar: version})
}
