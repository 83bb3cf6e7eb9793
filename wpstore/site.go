package wpstore

import (
	"calbridge/i18n"
	"calbridge/wpstore/php"
)

// SiteFacts is what the database says about a site, as stored: what it means
// (which URL, which time zone, which default) is for the reader to say. An option
// that is missing or cannot be read leaves the zero value.
type SiteFacts struct {
	Home, SiteURL                             string
	PermalinkStructure, CategoryBase, TagBase string
	TimezoneString, GMTOffset                 string
	PostsPerPage, DBVersion, WPLang           string
	DateFormat, BlogCharset                   string
	UploadPath, UploadURLPath                 string
	Template, Stylesheet                      string
	DefaultCommentStatus                      string

	UseSmilies, UseBalanceTags, HTTPSMigrationRequired, UsingApplicationPasswords bool

	PageOnFront, PageForPosts, PrivacyPage int64

	// ActivePlugins are the main files of the plugins of this site and, on a
	// network, of those that are active everywhere: "folder/file.php".
	ActivePlugins []string

	// Calendar holds the options of The Events Calendar; nil when there are none
	// or they cannot be read.
	Calendar *php.Array

	// Roles is the blog's map of roles, unserialized; nil when missing, false when
	// it cannot be read.
	Roles php.Value

	// Occurrences says that the tables for events and occurrences exist and that
	// The Events Calendar uses them: its migration to them was completed or never
	// needed.
	Occurrences bool

	// Languages are those of the site's language plugin; the zero value without one.
	Languages i18n.Languages

	// TranslationJobs says that the tables exist in which WPML keeps account of
	// translations.
	TranslationJobs bool

	// Multisite says that the tables of a network of sites exist. SuperAdmins are
	// the logins that may do anything on it.
	Multisite   bool
	SuperAdmins []string

	// Raw holds every option that was read, as stored: the above, and the keys and
	// salts that WordPress generates where wp-config.php has none (on a network
	// these are the network's).
	Raw map[string]string
}
