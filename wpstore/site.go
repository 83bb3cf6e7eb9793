package wpstore

import (
	"calbridge/i18n"
	"calbridge/wpstore/php"
)

// SiteFacts is what the database has about a site, as stored, without defaults. An option
// that is missing or unreadable has the zero value.
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

	// Calendar is the options of The Events Calendar, nil if they are missing or
	// unreadable.
	Calendar *php.Array

	// Roles is the site's map of roles: nil if it is missing, false if it is
	// unreadable.
	Roles php.Value

	// Occurrences says that the tables of events and occurrences exist and that The
	// Events Calendar uses them: its migration to them is complete or wasn't needed.
	Occurrences bool
	// StartIndexes are the indexes of that table by start.
	StartIndexes StartIndexes

	// NoTransactions are the physical names of tables that writes change but that have no
	// transactions, such as those of MyISAM.
	NoTransactions []string

	// Charsets are the character sets of the columns that writes change, by their tables
	// without prefix, as in "posts.post_title". Those of utf8mb4 are absent.
	Charsets map[string]string

	// Languages are the languages of the language plugin, the zero value without one.
	Languages i18n.Languages

	// TranslationJobs says that WPML's tables of translation jobs exist.
	TranslationJobs bool

	// Raw is every option that was read, as stored: the above, and the keys and salts that
	// WordPress generates if wp-config.php has none (on a network, those of the network).
	Raw map[string]string
}

// SiteAddresses are where a site is, and where its uploads are.
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

// SiteReading is the settings of reading, writing and discussion.
type SiteReading struct {
	PostsPerPage, DefaultCommentStatus     string
	UseSmilies, UseBalanceTags             bool
	PageOnFront, PageForPosts, PrivacyPage int64
}

// SiteTheme names the active theme: the parent's folder and its own.
type SiteTheme struct {
	Template, Stylesheet string
}

// SiteNetwork reports whether the tables of a network of sites exist, what the address of the
// network is, as stored, which logins are its super administrators, and whether the addresses
// of its uploads are rewritten, which they are on networks from before WordPress 3.5.
type SiteNetwork struct {
	Multisite      bool
	NetworkURL     string
	SuperAdmins    []string
	RewrittenFiles bool
}

// Blog is a site of a network. WordPress answers 410 for one that is archived, spam or deleted.
type Blog struct {
	ID                      int64
	Domain, Path            string // the path has slashes at both ends
	Archived, Spam, Deleted bool
}

// RESTDisabled says that the option of The Events Calendar that switches its REST API off
// is set.
func (f *SiteFacts) RESTDisabled() bool {
	return f.Calendar != nil && !php.Empty(f.Calendar.At("rest-v1-disabled"))
}

// StartIndexes are the names of the indexes of the occurrence table that begin with the
// start, by the local one and by the one in UTC; "" for none. The Events Calendar makes
// none, but the owner of a site may.
type StartIndexes struct{ Local, UTC string }

// By returns the index by the start in UTC or by the local one.
func (x StartIndexes) By(utc bool) string {
	if utc {
		return x.UTC
	}
	return x.Local
}
