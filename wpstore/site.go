package wpstore

import (
	"fmt"
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/wpstore/php"
)

// SiteFacts holds what the database has about a site, as stored, without defaults. An
// option that is missing or unreadable has the zero value.
type SiteFacts struct {
	SiteAddresses
	SitePermalinks
	SiteLocale
	SiteReading
	SiteTheme
	SiteNetwork

	DBVersion                                         string
	HTTPSMigrationRequired, UsingApplicationPasswords bool

	// ActivePlugins are the main files of the plugins of this site and, on a
	// network, of those that are active everywhere: "folder/file.php".
	ActivePlugins []string

	// Calendar holds the options of The Events Calendar; nil if they are missing or
	// unreadable.
	Calendar *php.Array

	// Roles is the site's map of roles: nil if it is missing, false if it is
	// unreadable.
	Roles php.Value

	// Occurrences is set if the tables of events and occurrences exist and The Events
	// Calendar uses them: its migration to them is complete or wasn't needed.
	Occurrences bool
	// ProvisionalIDs is the lowest id of a provisional post, which stands for one occurrence of a
	// recurring event; 0 where the site has none.
	ProvisionalIDs int64
	// StartIndexes are the indexes of the occurrence table by start.
	StartIndexes StartIndexes

	// NoTransactions are the physical names of the written tables whose engine has no
	// transactions, such as MyISAM.
	NoTransactions []string

	// Charsets are the character sets of the columns that writes change, by table without
	// prefix and column, as in "posts.post_title". Columns in utf8mb4 are absent.
	Charsets map[string]string

	// Languages are the languages of the language plugin, the zero value without one.
	Languages i18n.Languages

	// TranslationJobs is set if WPML's tables of translation jobs exist.
	TranslationJobs bool

	// Raw is every option that was read, as stored: the options above, and the keys and
	// salts that WordPress generates if wp-config.php has none. On a network the keys and
	// salts are the network's.
	Raw map[string]string
}

// Recurrence has the signs of recurring events, whose responses calbridge doesn't reproduce.
type Recurrence struct {
	Active bool // the option that switches them on
	// Ruled is an event with rules of recurrence, Several one with more than one occurrence; 0
	// where there is none.
	Ruled, Several int64
}

// Sign returns the first sign of recurring events, in words; "" without any.
func (r Recurrence) Sign() string {
	switch {
	case r.Active:
		return "the option tec_events_recurrence_active is set"
	case r.Ruled != 0:
		return fmt.Sprintf("event %d has rules of recurrence", r.Ruled)
	case r.Several != 0:
		return fmt.Sprintf("event %d has more than one occurrence", r.Several)
	}
	return ""
}

// SiteAddresses holds the addresses of a site and of its uploads.
type SiteAddresses struct {
	Home, SiteURL             string
	UploadPath, UploadURLPath string
}

// SitePermalinks are the options that public URLs depend on.
type SitePermalinks struct {
	PermalinkStructure, CategoryBase, TagBase string
}

// SiteLocale is the time zone, the date format and the language of a site.
type SiteLocale struct {
	TimezoneString, GMTOffset, DateFormat string
	WPLang, BlogCharset                   string
}

// SiteReading holds the settings of reading, writing and discussion.
type SiteReading struct {
	PostsPerPage, DefaultCommentStatus     string
	UseSmilies, UseBalanceTags             bool
	PageOnFront, PageForPosts, PrivacyPage int64
}

// SiteTheme names the active theme: the parent's folder and its own.
type SiteTheme struct {
	Template, Stylesheet string
}

// SiteNetwork describes the network of a site: whether its tables exist, its address as
// stored, and the logins of its super administrators. It also has whether the addresses of
// uploads are rewritten, as they are on networks older than WordPress 3.5.
type SiteNetwork struct {
	Multisite      bool
	NetworkURL     string
	SuperAdmins    []string
	RewrittenFiles bool
	// Blog is the site's row among the sites of the network; the zero value if there is none that
	// can be read.
	Blog Blog
}

// Blog is a site of a network. WordPress responds 410 for one that is archived, spam or
// deleted.
type Blog struct {
	ID             int64
	Domain, Path   string // the path has slashes at both ends
	Public         bool   // search engines may index it
	Archived, Spam bool
	// Deleted is 1 for a deleted site, and 2 for one that nobody has activated yet.
	Deleted int64
}

// Network is a network of sites.
type Network struct {
	Domain, Path string // of its main site; the path has slashes at both ends
	Blogs        []Blog
}

// Closed returns why WordPress responds 410: "deleted", "inactive", or "archived", which has the same
// text as spam; "" for a site that is open.
func (b Blog) Closed() string {
	switch {
	case b.Deleted == 2:
		return "inactive"
	case b.Deleted != 0:
		return "deleted"
	case b.Archived, b.Spam:
		return "archived"
	}
	return ""
}

// calendarFile is the end of the main file of The Events Calendar, below the folder of plugins.
const calendarFile = "/the-events-calendar.php"

// LacksCalendar reports whether the site belongs to a network and has not activated The Events
// Calendar, neither itself nor with the whole network. The tables of the calendar exist all the same:
// they are made for all sites of a network at once.
func (f *SiteFacts) LacksCalendar() bool {
	return f.Multisite && !slices.ContainsFunc(f.ActivePlugins, func(file string) bool { return strings.HasSuffix(file, calendarFile) })
}

// RESTDisabled reports whether The Events Calendar's option that switches its REST API off
// is set.
func (f *SiteFacts) RESTDisabled() bool {
	return f.Calendar != nil && !php.Empty(f.Calendar.At("rest-v1-disabled"))
}

// StartIndexes are the names of the indexes of the occurrence table that begin with the
// start: by the local start and by the start in UTC; "" for none. The Events Calendar
// creates none, but the owner of a site may.
type StartIndexes struct{ Local, UTC string }

// By returns the index by the start in UTC or by the local start.
func (x StartIndexes) By(utc bool) string {
	if utc {
		return x.UTC
	}
	return x.Local
}
