package wpstore

import (
	"calbridge/i18n"
	"calbridge/wpstore/php"
)

// SiteFacts is what the database says about a site, as stored: what it means
// (which URL, which time zone, which default) is for the reader to say. An option
// that is missing or cannot be read leaves the zero value.
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

	// Raw holds every option that was read, as stored: the above, and the keys and
	// salts that WordPress generates where wp-config.php has none (on a network
	// these are the network's).
	Raw map[string]string
}

// SiteAddresses are where a site is, and where its uploads are.
type SiteAddresses struct {
	Home, SiteURL             string
	UploadPath, UploadURLPath string
}

// SitePermalinks are the options that public URLs are made by.
type SitePermalinks struct {
	PermalinkStructure, CategoryBase, TagBase string
}

// SiteLocale says how a site writes dates and texts.
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

// SiteNetwork says whether the tables of a network of sites exist, and which logins may
// do anything on it.
type SiteNetwork struct {
	Multisite   bool
	SuperAdmins []string
}
