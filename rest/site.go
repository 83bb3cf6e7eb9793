package rest

import (
	"net/url"
	"time"

	"calbridge/i18n"
	"calbridge/rest/phpdate"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// site is what the interface needs to know of the WordPress site, made once from
// the facts in the database and the settings, and immutable from then on.
type site struct {
	facts  *wpstore.SiteFacts
	loaded time.Time
	read   uint64 // the ledger's sequence before the facts were read

	zone   *time.Location // the site's zone
	locale *typography.Locale

	roles wpcap.Roles
	caps  wpcap.Site
	// public are the statuses in which everybody may read a post of a kind.
	public map[*postKind][]string
	// cookies are the names of the cookies that matter.
	cookies wpauth.CookieNames

	home, siteURL string // without trailing slash
	calendar      *php.Array
	languages     languages
	words         map[string]*wording // by language; "" is the site's own
	router        *router
	links         [2]map[string]*links // by scheme of the request (http, https) and language; "" is the site's own
	text          [2]*wptext.Site      // the same for rendering
}

func newSite(facts *wpstore.SiteFacts, cfg *Config, zones *phpdate.Zones, kept *shared) *site {
	s := &site{facts: facts, calendar: facts.Calendar, roles: wpcap.ParseRoles(facts.Roles)}
	s.caps = wpcap.Site{
		Multisite: facts.Multisite, PageOnFront: facts.PageOnFront, PageForPosts: facts.PageForPosts, PrivacyPolicy: facts.PrivacyPage,
		DisallowUnfilteredHTML: cfg.DisallowUnfilteredHTML,
	}
	s.public = map[*postKind][]string{}
	for _, kind := range []*postKind{eventKind, venueKind, organizerKind} {
		s.public[kind] = readableStatuses(wpcap.Anonymous(), s.caps, kind, 0)
	}
	s.home = trimSlashes(firstNonEmpty(cfg.Home, facts.Home))
	s.siteURL = trimSlashes(firstNonEmpty(cfg.SiteURL, facts.SiteURL))
	s.cookies = wpauth.NewCookieNames(wpauth.CookieSiteURL(firstNonEmpty(cfg.SiteURL, facts.SiteURL), facts.Multisite), cfg.Auth.constant)
	s.zone = zones.Site(facts.TimezoneString, facts.GMTOffset)
	s.locale = typography.LocaleFor(facts.WPLang)
	s.languages = newLanguages(facts.Languages, cfg)
	s.router = kept.routerFor(s.languages.offered)
	s.words = kept.wordings(facts.WPLang, &s.languages)
	words := s.words[""]
	for i, https := range []bool{false, true} {
		s.links[i] = map[string]*links{"": newLinks(s, cfg, words, https, "")}
		for _, code := range s.languages.Codes() {
			s.links[i][code] = newLinks(s, cfg, words, https, code)
		}
		s.text[i] = s.rendering(cfg, words, https, s.links[i][""])
	}
	return s
}

// wordingFor returns the wording of a language, the site's own for one that it
// does not have.
func (s *site) wordingFor(code string) *wording {
	if w, ok := s.words[code]; ok {
		return w
	}
	return s.words[""]
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// option returns a plugin option, nil when it is not stored.
func (s *site) option(name string) php.Value { return s.calendar.At(name) }

// optionText returns a plugin option as text, fallback when it is empty.
func (s *site) optionText(name, fallback string) string {
	if v := php.ToString(s.option(name)); v != "" {
		return v
	}
	return fallback
}

// utcDates says whether lists compare UTC dates: the display mode is the site's
// zone, or the site's zone is UTC itself.
func (s *site) utcDates() bool { return s.siteMode() || s.zone.String() == "UTC" }

// siteMode is TEC's option to show all dates in the site's zone.
func (s *site) siteMode() bool { return s.optionText("tribe_events_timezone_mode", "event") == "site" }

// rendering returns the facts that rendering needs, for one scheme of the request.
func (s *site) rendering(cfg *Config, words *wording, https bool, l *links) *wptext.Site {
	siteURL := s.siteURL
	if https {
		siteURL = withHTTPS(siteURL)
	}
	return &wptext.Site{
		Home: l.home, SiteURL: siteURL, HTTPS: https,
		UploadsURL:         wptext.UploadsURL(siteURL, s.facts.UploadURLPath, s.facts.UploadPath, https, cfg.ContentURL),
		Locale:             s.locale,
		UseSmilies:         s.facts.UseSmilies,
		FixInsecureHome:    s.facts.HTTPSMigrationRequired && sameSecureHost(s.home, s.siteURL),
		LateParagraphs:     s.languages.Plugin != i18n.NoPlugin,
		PermalinkStructure: s.facts.PermalinkStructure,
		WPVersion:          wptext.ParseWPVersion(cfg.wordPressVersion(s.facts.DBVersion)),
		Theme:              cfg.Theme,
		TECBlocks:          cfg.Theme.ThemeJSON || php.Truthy(s.option("toggle_blocks_editor")),
		ProfileBlocks:      words.blocks(),
		StaticBlocks:       cfg.StaticBlocks,
		Shortcodes:         cfg.Shortcodes,
	}
}

func sameSecureHost(home, siteURL string) bool {
	a, err1 := url.Parse(home)
	b, err2 := url.Parse(siteURL)
	return err1 == nil && err2 == nil && a.Scheme == "https" && b.Scheme == "https" && a.Host == b.Host
}
