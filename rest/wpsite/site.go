package wpsite

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/ticketing"
	"calbridge/rest/trait"
	"calbridge/rest/wpauth"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Site is the WordPress site as the interface needs it, made of the facts in the database
// and the settings. It is immutable.
type Site struct {
	Settings *Settings
	Compat   api.Compat
	Facts    *wpstore.SiteFacts

	// Traits are those of the site's versions.
	Traits trait.Set

	// Tickets are the settings of Event Tickets, nil where it isn't active.
	Tickets *ticketing.Settings

	Zones *phpdate.Zones
	Zone  *time.Location // the site's zone
	// FixedZone is Zone, but a manual offset is fixed there: JSON-LD has no daylight saving
	// for it.
	FixedZone *time.Location
	Locale    *typography.Locale

	Roles wpcap.Roles
	Caps  wpcap.Site
	// public are the statuses in which everybody may read a post of a kind.
	public map[*api.PostKind][]string
	// Cookies are the names of the cookies that matter.
	Cookies wpauth.CookieNames

	Home, SiteURL string     // without trailing slash
	Calendar      *php.Array // the plugin's options
	Languages     Languages
	words         map[string]*api.Wording // by language; "" is the site's own
	links         [2]map[string]*Links    // by scheme of the request (http, https) and language; "" is the site's own
	text          [2]*wptext.Site         // the same for rendering
}

// Builder builds Sites. It builds each wording only once, because they depend only on the settings.
type Builder struct {
	settings *Settings
	zones    *phpdate.Zones

	mu    sync.Mutex
	words map[string]*api.Wording
}

// NewBuilder returns a Builder for one site.
func NewBuilder(settings *Settings) *Builder {
	return &Builder{settings: settings, zones: phpdate.NewZones(), words: map[string]*api.Wording{}}
}

// Site builds the site from the facts.
func (b *Builder) Site(facts *wpstore.SiteFacts) *Site {
	set := b.settings
	s := &Site{
		Settings: set, Compat: set.Compat, Facts: facts, Traits: set.traits(facts), Calendar: facts.Calendar, Roles: wpcap.ParseRoles(facts.Roles),
		Zones: b.zones, Zone: b.zones.Site(facts.TimezoneString, facts.GMTOffset), Locale: typography.LocaleOf(facts.WPLang, set.Language.Texts),
		Home: trimSlashes(cmp.Or(set.Home, facts.Home)), SiteURL: trimSlashes(cmp.Or(set.SiteURL, facts.SiteURL)),
		Cookies:   wpauth.NewCookieNames(cookieAddress(set, facts), set.CookieConstant),
		Languages: newLanguages(facts.Languages, set),
	}
	s.Tickets = ticketing.Read(facts)
	s.Caps = wpcap.Site{
		Multisite: facts.Multisite, PageOnFront: facts.PageOnFront, PageForPosts: facts.PageForPosts, PrivacyPolicy: facts.PrivacyPage,
		DisallowUnfilteredHTML: set.DisallowUnfilteredHTML,
	}
	s.FixedZone = s.Zone
	if zone, err := b.zones.LiteralZone(phpdate.SiteZoneName(facts.TimezoneString, facts.GMTOffset)); err == nil {
		s.FixedZone = zone
	}
	s.public = map[*api.PostKind][]string{}
	for _, kind := range []*api.PostKind{api.Events, api.Venues, api.Organizers} {
		s.public[kind] = s.readableStatuses(wpcap.Anonymous(), kind, 0)
	}
	s.words = b.wordings(facts.WPLang, &s.Languages)
	words := s.words[""]
	for i, https := range []bool{false, true} {
		s.links[i] = map[string]*Links{"": newLinks(s, words, https, "")}
		for _, code := range s.Languages.Codes() {
			s.links[i][code] = newLinks(s, words, https, code)
		}
		s.text[i] = s.rendering(words, https, s.links[i][""])
	}
	return s
}

// cookieAddress returns the address that the cookies are named after. On a network, WP_SITEURL and
// a site's own address have no effect.
func cookieAddress(set *Settings, facts *wpstore.SiteFacts) string {
	if facts.Multisite {
		return facts.NetworkURL
	}
	return wpauth.CookieSiteURL(cmp.Or(set.SiteURL, facts.SiteURL))
}

// wordings returns the wording of each language of a site, and under "" that of its
// default language.
func (b *Builder) wordings(wpLang string, l *Languages) map[string]*api.Wording {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := &b.settings.Language
	words := map[string]*api.Wording{}
	for _, code := range slices.Concat([]string{""}, l.Codes(), l.Offered) {
		language := cmp.Or(code, l.Default, wpLang, "en")
		if b.words[language] == nil {
			packs := own.Packs
			if l.Plugin != i18n.NoPlugin {
				packs = own.packsOf(l.Find(language), cmp.Or(wpLang, "en_US"))
			}
			b.words[language] = api.NewWording(b.settings.Profile, language, packs)
		}
		words[code] = b.words[language]
	}
	return words
}

// WordingFor returns the wording of a language, the site's own for one that it lacks.
func (s *Site) WordingFor(code string) *api.Wording { return cmp.Or(s.words[code], s.words[""]) }

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ReadableStatuses lists the statuses in which a single read shows the user a post of the
// author.
func (s *Site) ReadableStatuses(user *wpcap.User, kind *api.PostKind, author int64) []string {
	if user.ID == 0 {
		return s.public[kind]
	}
	return s.readableStatuses(user, kind, author)
}

func (s *Site) readableStatuses(user *wpcap.User, kind *api.PostKind, author int64) []string {
	out := []string{}
	for _, status := range wpcap.StatusNames() {
		p := wpcap.Post{ID: -1, Author: author, Type: kind.PostType, Status: status}
		if status == "publish" || wpcap.ReadPost(user, &p, s.Caps) && !s.NoLongerAvailable(kind.PostType, status) {
			out = append(out, status)
		}
	}
	return slices.Clip(out) // so that append copies
}

// NoLongerAvailable reports whether no user can read a post singly: events in the trash, unless the
// calendar treats them like other events that aren't published.
func (s *Site) NoLongerAvailable(postType, status string) bool {
	return postType == api.Events.PostType && status == "trash" && !s.Traits.Has(trait.EventIDIsCheckedFirst)
}

// APIDisabled reports whether the namespace has no routes, because the site has switched it off or, on a
// network, has not activated the calendar.
func (s *Site) APIDisabled() bool {
	return s.Settings.APIDisabled || s.Facts.RESTDisabled() || s.Facts.LacksCalendar()
}

// Slug makes a slug of a text, in the site's language.
func (s *Site) Slug(text string) string { return s.Plain().Slug(text) }

// Plain returns how the site simplifies text.
func (s *Site) Plain() sanitize.Rules {
	return sanitize.Rules{Locale: s.Facts.WPLang, Traits: s.Traits}
}

// Option returns a plugin option, nil when it is not stored.
func (s *Site) Option(name string) php.Value { return s.Calendar.At(name) }

// packText returns a text of the language packs, fallback where they are not known.
func (s *Site) packText(name, fallback string) string {
	return cmp.Or(s.Settings.Language.Texts[name], fallback)
}

// OptionText returns a plugin option as text, fallback when it is empty.
func (s *Site) OptionText(name, fallback string) string {
	return cmp.Or(php.ToString(s.Option(name)), fallback)
}

// RawOption returns a WordPress option as stored, fallback when there is none.
func (s *Site) RawOption(name, fallback string) string {
	if v, ok := s.Facts.Raw[name]; ok {
		return v
	}
	return fallback
}

// CoreZone returns the site's zone as WordPress itself reads it.
func (s *Site) CoreZone() *time.Location {
	return s.Zones.CoreSite(s.Facts.TimezoneString, s.Facts.GMTOffset)
}

// UTCDates reports whether lists compare UTC dates: dates are shown in the site's zone, or
// that is UTC.
func (s *Site) UTCDates() bool { return s.SiteMode() || s.Zone.String() == "UTC" }

// SiteMode reproduces TEC's option to show all dates in the site's zone.
func (s *Site) SiteMode() bool { return s.OptionText("tribe_events_timezone_mode", "event") == "site" }

// DayCutoff returns the time of day at which the site's event days begin.
func (s *Site) DayCutoff() (hours, minutes int) {
	h, m, ok := strings.Cut(s.OptionText("multiDayCutoff", ""), ":")
	if !ok {
		return 0, 0
	}
	return int(php.ToInt(h)), int(php.ToInt(m))
}

// rendering returns the facts that rendering needs, for one scheme of the request.
func (s *Site) rendering(words *api.Wording, https bool, l *Links) *wptext.Site {
	siteURL := s.SiteURL
	if https {
		siteURL = withHTTPS(siteURL)
	}
	set := s.Settings
	return &wptext.Site{
		Home: l.Home, SiteURL: siteURL, HTTPS: https,
		UploadsURL:         set.Uploads.URL(s.Facts, siteURL, https),
		Locale:             s.Locale,
		UseSmilies:         s.Facts.UseSmilies,
		FixInsecureHome:    s.Facts.HTTPSMigrationRequired && sameSecureHost(s.Home, s.SiteURL),
		LateParagraphs:     s.Languages.Plugin != i18n.NoPlugin,
		PermalinkStructure: s.Facts.PermalinkStructure,
		Traits:             s.Traits,
		Theme:              set.Theme,
		TECBlocks:          set.Theme.Block || php.Truthy(s.Option("toggle_blocks_editor")),
		ProfileBlocks:      words.Blocks(),
		GalleryStyle:       words.Blocks()[wptext.GalleryStyleBlock],
		PluginBlocks:       set.PluginBlocks,
		Shortcodes:         set.Shortcodes,
	}
}

func sameSecureHost(home, siteURL string) bool {
	a, err1 := url.Parse(home)
	b, err2 := url.Parse(siteURL)
	return err1 == nil && err2 == nil && a.Scheme == "https" && b.Scheme == "https" && a.Host == b.Host
}

func trimSlashes(s string) string { return strings.TrimRight(s, "/") }
