package sitefacts

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"calbridge/rest/notice"
	"calbridge/rest/trait"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Name names a fact.
type Name string

// The facts that other code looks up by name.
const (
	WordPress            Name = "wordpress.version"
	TEC                  Name = "tec.version"
	Plugins              Name = "plugins.active"
	DropIns              Name = "plugins.drop-ins"
	Stylesheet           Name = "theme.stylesheet"
	Template             Name = "theme.template"
	ExcerptMore          Name = "theme.excerpt-more"
	ExcerptLength        Name = "theme.excerpt-length"
	BlockTheme           Name = "theme.block"
	HTML5                Name = "theme.html5"
	ThemeJSON            Name = "theme.json"
	ContentSize          Name = "theme.content-size"
	ContentWidth         Name = "theme.content-width"
	BlockGap             Name = "theme.block-gap"
	RootPadding          Name = "theme.root-padding"
	Gap                  Name = "theme.gap"
	Gaps                 Name = "theme.gaps"
	EmptyTitle           Name = "theme.empty-title"
	GalleryStyle         Name = "theme.gallery-style"
	Sidebar              Name = "theme.sidebar"
	Home                 Name = "site.home"
	Locale               Name = "locale"
	Marks                Name = "locale.marks"
	PackTexts            Name = "locale.texts"
	RESTPrefix           Name = "rest.prefix"
	APIDisabled          Name = "rest.disabled"
	ApplicationPasswords Name = "rest.application-passwords"
	PageCaps             Name = "rest.page-caps"
	Uploads              Name = "uploads.url"
	UploadsRendered      Name = "uploads.rendered"
	TicketsVersion       Name = "event-tickets.version"
	TicketCurrency       Name = "event-tickets.currency"
	TicketSign           Name = "event-tickets.sign"
	CalendarTables       Name = "calendar.tables"
	Connection           Name = "database.connection-charset"
	ConnectionUsed       Name = "database.connection-used"
	Network              Name = "network"
	Recurrence           Name = "calendar.recurrence"
	CompanionHooks       Name = "hooks.companion"
	FileHooks            Name = "hooks.files"
	Shortcodes           Name = "plugins.shortcodes"
	Blocks               Name = "plugins.blocks"
	VisitorHooks         Name = "hooks.visitors"
)

// getter reads a fact from one source; it returns nil if the source doesn't have it.
type getter func(*Inputs) any

// row is one fact, with its meaning and a getter for each source.
type row struct {
	name, about string
	from        map[Source]getter
	// same reports whether two values that are not equal mean the same; nil: never.
	same func(nearest, other any) bool
}

func (r *row) agree(nearest, other any) bool {
	return reflect.DeepEqual(nearest, other) || r.same != nil && r.same(nearest, other)
}

// table returns all facts.
func table() []row {
	return slices.Concat(softwareRows(), themeRows(), textRows(), apiRows(), databaseRows())
}

type from = map[Source]getter

func softwareRows() []row {
	return []row{
		{string(WordPress), "version of WordPress", from{
			Setting:   owner(func(o *Owner) string { return o.WordPress }),
			Companion: reported("wordpress", func(f *companionFacts) any { return version(f.WordPress) }),
			Files:     read(func(f *folder) any { return version(f.WordPress) }),
			Database:  stored(func(f *siteFacts) any { return some(trait.Release(f.DBVersion)) }),
		}, sameRelease},
		{string(TEC), "version of The Events Calendar", pluginVersion(calendarPlugin, "latest_ecp_version", "schema-version"), nil},
		{string(TicketsVersion), "version of Event Tickets, if it is active", pluginVersion(ticketsPlugin, "latest_event_tickets_version", "event-tickets-schema-version"), nil},
		{string(TicketCurrency), "currency of Tickets Commerce, in which costs are shown", from{Database: stored(ticketCurrency)}, nil},
		{string(TicketSign), "sign that is taken for that currency, if Event Tickets's own is not known", from{Database: stored(ticketSign)}, nil},
		{string(Plugins), "active plugins, network-wide ones too", from{
			Companion: reported("plugins", func(f *companionFacts) any { return sorted(keys(f.Plugins)) }),
			Database:  stored(func(f *siteFacts) any { return sorted(f.ActivePlugins) }),
		}, nil},
		{"plugins.must-use", "must-use plugins", from{
			Companion: reported("must_use", func(f *companionFacts) any { return sorted(f.MustUse) }),
			Files:     read(func(f *folder) any { return sorted(f.MustUse) }),
		}, nil},
		{string(DropIns), "drop-ins, such as object-cache.php", from{
			Companion: reported("drop_ins", func(f *companionFacts) any { return sorted(f.DropIns) }),
			Files:     read(func(f *folder) any { return sorted(f.DropIns) }),
		}, nil},
		{string(CompanionHooks), "callbacks that change answers, as they are hooked", from{
			Companion: reportedHooks,
		}, nil},
		{string(FileHooks), "calls in PHP files that hook callbacks which change answers", from{
			Files: read(func(f *folder) any { return hooksIn(f.Hooks) }),
		}, nil},
		{string(Shortcodes), "shortcodes that only plugins render", from{
			Companion: reported("shortcodes", registered(func(f *companionFacts) []string { return f.Shortcodes })),
		}, nil},
		{string(Blocks), "blocks that only plugins render", from{
			Companion: reported("blocks", registered(func(f *companionFacts) []string { return f.Blocks })),
		}, nil},
		{string(VisitorHooks), "callbacks that may answer some visitors otherwise: their file reads who asks", from{
			Companion: reported("visitors", visitorHooks),
		}, nil},
	}
}

func themeRows() []row {
	return []row{
		{string(Stylesheet), "folder of the theme", from{
			Companion: reported("theme", func(f *companionFacts) any { return some(f.Theme.Stylesheet) }),
			Database:  stored(func(f *siteFacts) any { return some(f.Stylesheet) }),
		}, nil},
		{string(Template), "folder of the theme's parent, or its own", from{
			Companion: reported("theme", func(f *companionFacts) any { return some(f.Theme.Template) }),
			Database:  stored(func(f *siteFacts) any { return some(f.Template) }),
		}, nil},
		{"theme.version", "version of the theme", from{
			Companion: reported("theme", func(f *companionFacts) any { return version(f.Theme.Version) }),
			Files:     read(func(f *folder) any { return version(f.Theme.Version) }),
		}, nil},
		{string(BlockTheme), "whether it is a block theme", from{
			Companion: reported("theme", func(f *companionFacts) any { return f.Theme.Block }),
			Files:     inTheme(func(f *folder) any { return f.Theme.Block }),
			Default:   usual(func(t *Theme) any { return t.Block }),
		}, nil},
		{string(ThemeJSON), "whether it has a theme.json", from{
			Companion: reported("theme", func(f *companionFacts) any { return f.Theme.JSON }),
			Files:     inTheme(func(f *folder) any { return f.Theme.JSON }),
			Default:   usual(func(t *Theme) any { return t.ThemeJSON }),
		}, nil},
		{string(HTML5), "what it declares as HTML5", from{
			Companion: reported("theme", func(f *companionFacts) any { return sorted(f.Theme.HTML5) }),
			Files:     inTheme(func(f *folder) any { return someList(f.Theme.HTML5) }),
			Default:   usual(func(t *Theme) any { return t.html5() }),
		}, includes},
		{string(ContentWidth), "its content width in pixels", from{
			Setting:   owned(func(o *Owner) any { return number(o.ContentWidth) }),
			Companion: reported("theme", func(f *companionFacts) any { return number(f.Theme.ContentWidth) }),
			Files:     inTheme(func(f *folder) any { return number(f.Theme.ContentWidth) }),
			Default:   usual(func(t *Theme) any { return number(t.ContentWidth) }),
		}, nil},
		{string(ContentSize), "contentSize of its theme.json", from{
			Companion: reported("theme", func(f *companionFacts) any { return some(f.Theme.ContentSize) }),
			Files:     inTheme(func(f *folder) any { return some(f.Theme.ContentSize) }),
			Default:   usual(func(t *Theme) any { return some(t.ContentSize) }),
		}, nil},
		{string(ExcerptMore), "the tail of generated excerpts", from{
			Companion: reported("excerpt_more", excerptMore),
			Profile:   func(in *Inputs) any { return some(in.Recorded.ExcerptMore) }, // never the usual one
			Default:   usual(func(t *Theme) any { return t.excerptMore() }),
		}, nil},
		{string(ExcerptLength), "words of a generated excerpt", from{
			Companion: reported("excerpt_length", func(f *companionFacts) any { return number(f.ExcerptLength) }),
			Default:   usual(func(t *Theme) any { return number(t.ExcerptLength) }),
		}, nil},
		{string(BlockGap), "whether its theme.json has gaps between blocks", from{
			Companion: rendering(func(l *notice.Rendering) any { return l.BlockGap }),
			Files:     inTheme(func(f *folder) any { return known(f.Theme.Layout.BlockGap) }),
			Default:   usual(func(t *Theme) any { return t.BlockGap }),
		}, always},
		{string(RootPadding), "whether the padding of the page is that of its blocks", from{
			Companion: rendering(func(l *notice.Rendering) any { return l.RootPadding }),
			Files:     inTheme(func(f *folder) any { return known(f.Theme.Layout.RootPadding) }),
			Default:   usual(func(t *Theme) any { return t.RootPadding }),
		}, always},
		{string(Gap), "the gap between blocks", from{
			Companion: rendering(func(l *notice.Rendering) any { return some(l.Gap) }),
			Files:     inTheme(func(f *folder) any { return some(f.Theme.Layout.Gap) }),
			Default:   usual(func(t *Theme) any { return some(t.Gap) }),
		}, always},
		{string(Gaps), "the gaps of blocks that have another one", from{
			Companion: rendering(func(l *notice.Rendering) any { return someMap(l.Gaps) }),
			Files:     inTheme(func(f *folder) any { return someMap(f.Theme.Layout.Gaps) }),
			Default:   usual(func(t *Theme) any { return someMap(t.Gaps) }),
		}, always},
		{string(EmptyTitle), "title of posts without one", from{
			Companion: rendering(func(l *notice.Rendering) any { return l.EmptyTitle }),
		}, nil},
		{string(GalleryStyle), "style sheet before galleries that are not HTML5", from{
			Profile: func(in *Inputs) any { return some(in.Recorded.GalleryStyle) },
		}, nil},
		{string(Sidebar), "whether the first sidebar has widgets", from{
			Database: stored(func(f *siteFacts) any {
				widgets, _ := phpserial.Array(f.Raw["sidebars_widgets"]).At("sidebar-1").(*php.Array)
				return widgets.Len() > 0
			}),
		}, nil},
	}
}

func textRows() []row {
	return []row{
		{string(Home), "address of the site", from{
			Setting:  owner(func(o *Owner) string { return o.Home }),
			Config:   func(in *Inputs) any { return in.constant("WP_HOME") },
			Database: stored(func(f *siteFacts) any { return some(f.Home) }),
		}, always},
		{"site.siteurl", "address of WordPress", from{
			Setting:  owner(func(o *Owner) string { return o.SiteURL }),
			Config:   func(in *Inputs) any { return in.constant("WP_SITEURL") },
			Database: stored(func(f *siteFacts) any { return some(f.SiteURL) }),
		}, always},
		{string(Locale), "locale of the site", from{
			Companion: reported("locale", func(f *companionFacts) any { return some(f.Locale) }),
			Database:  stored(func(f *siteFacts) any { return some(f.WPLang) }),
			Default:   stored(func(*siteFacts) any { return "en_US" }),
		}, nil},
		{string(Marks), "typographic marks and other translated texts", from{
			Companion: reported("texturize", reportedTexts),
			Files:     read(packTexts),
		}, agreeingTexts},
		{string(PackTexts), "texts of the language packs, or WordPress's own where they have none", from{Files: read(packTexts)}, nil},
		{"locale.packs", "checksums of the language packs' files, 0 where there is none", from{
			Files: read(func(f *folder) any {
				return fmt.Sprintf("core %08x, calendar %08x, common %08x", f.Packs.Core.Sum(), f.Packs.Calendar.Sum(), f.Packs.Common.Sum())
			}),
		}, nil},
		{"dates.zone", "time zone, or offset from UTC in hours", from{
			Database: stored(func(f *siteFacts) any { return zoneOf(f) }),
		}, nil},
		{"dates.manual-offset", "whether dates are shown in a fixed offset from UTC", from{
			Database: stored(func(f *siteFacts) any { return manualOffset(f) }),
		}, nil},
		{string(Uploads), "address of the uploads", from{
			Companion: reported("uploads", func(f *companionFacts) any { return some(f.Uploads.BaseURL) }),
			Database:  func(in *Inputs) any { return some(in.UploadsURL) },
		}, sameURL},
		{string(UploadsRendered), "address of the uploads in calbridge's answers", from{Default: func(in *Inputs) any { return some(in.UploadsURL) }}, nil},
		{"uploads.dir", "folder of the uploads", from{
			Companion: reported("uploads", func(f *companionFacts) any { return some(f.Uploads.BaseDir) }),
		}, nil},
	}
}

func apiRows() []row {
	return []row{
		{string(RESTPrefix), "first part of the REST API's paths", from{
			Setting:   owner(func(o *Owner) string { return o.RESTPrefix }),
			Companion: reported("rest_prefix", func(f *companionFacts) any { return some(f.RESTPrefix) }),
			Database:  func(in *Inputs) any { return rewrittenPrefix(in.Rewrite) },
			Default:   func(*Inputs) any { return usualPrefix },
		}, nil},
		{string(APIDisabled), "whether the calendar's API is switched off", from{
			Companion: reported("api_disabled", func(f *companionFacts) any { return f.APIDisabled }),
			Database:  stored(func(f *siteFacts) any { return f.RESTDisabled() }),
		}, nil},
		{string(ApplicationPasswords), "whether application passwords are available", from{
			Setting:   owned(func(o *Owner) any { return onOff(o.ApplicationPasswords) }),
			Companion: reported("application_passwords", func(f *companionFacts) any { return f.ApplicationPasswords }),
			Default:   func(*Inputs) any { return true },
		}, nil},
		{string(PageCaps), "the largest per_page, by the filter that sets it", from{
			Companion: reported("page_caps", func(f *companionFacts) any { return someMap(f.PageCaps) }),
		}, nil},
		{string(CalendarTables), "whether lists are read from the calendar's own tables", from{
			Setting:   owned(func(o *Owner) any { return isTrue(o.CalendarTablesOff, false) }),
			Companion: reported("calendar_tables", func(f *companionFacts) any { return f.CalendarTables }),
			Config:    func(in *Inputs) any { return isTrue(truthy(in.constant("TEC_CUSTOM_TABLES_V1_DISABLED")), false) },
			Database:  stored(func(f *siteFacts) any { return f.Occurrences }),
		}, nil},
	}
}

func databaseRows() []row {
	return []row{
		{string(Connection), "character set that WordPress's connection speaks", from{
			Companion: reported("connection_charset", func(f *companionFacts) any { return some(f.ConnectionCharset) }),
			Config:    func(in *Inputs) any { return connectionOf(in.constant("DB_CHARSET")) },
		}, nil},
		{string(ConnectionUsed), "character set that calbridge's connections speak", from{
			Default: func(in *Inputs) any { return some(in.Speaks) },
		}, nil},
		{"database.column-charsets", "character sets of columns besides utf8mb4", from{
			Database: stored(func(f *siteFacts) any { return someList(slices.Collect(maps.Values(f.Charsets))) }),
		}, nil},
		{string(Recurrence), "the sign of recurring events", from{
			Database: func(in *Inputs) any { return some(in.Recurrence.Sign()) },
		}, nil},
		{"database.without-transactions", "tables that are written and have no transactions", from{
			Database: stored(func(f *siteFacts) any { return someList(f.NoTransactions) }),
		}, nil},
		{string(Network), "whether the site belongs to a network", from{
			Database: stored(func(f *siteFacts) any { return f.Multisite }),
		}, nil},
		{"network.site", "number of the site in its network", from{
			Setting: func(in *Inputs) any { return number(int(in.BlogID)) },
		}, nil},
	}
}
