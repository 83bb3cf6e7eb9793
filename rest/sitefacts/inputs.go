package sitefacts

import (
	"calbridge/rest/notice"
	"calbridge/wpstore"
	"calbridge/wpstore/wpfolder"
)

// Inputs hold the reports of all sources. A nil source reports nothing.
type Inputs struct {
	Owner     Owner
	Companion *notice.SiteFacts
	Folder    *wpfolder.Folder
	// Constant looks up a constant of wp-config.php.
	Constant func(name string) (value string, ok bool)
	Database *wpstore.SiteFacts
	// Recurrence has the signs of recurring events in the database.
	Recurrence wpstore.Recurrence
	// Recorded are texts of the theme that were recorded from the site.
	Recorded Recorded
	// Speaks is the character set of calbridge's own connections, "" for the embedded engine.
	Speaks string
	// UploadsURL is the address of the uploads by settings, wp-config.php and database.
	UploadsURL string
	// BlogID is the number of the site in its network.
	BlogID int64
	// Rewrite is the option rewrite_rules, as stored.
	Rewrite string
}

// Recorded has the tail of generated excerpts, with {url} and {title}, and the style sheet
// before galleries; "" where the profile doesn't have them.
type Recorded struct{ ExcerptMore, GalleryStyle string }

// Owner holds the settings of the site's owner, by a flag, in the environment or in calbridge's
// configuration. Zero values are not set.
type Owner struct {
	Home, SiteURL         string
	WordPress, RESTPrefix string
	// ApplicationPasswords is on or off.
	ApplicationPasswords string
	CalendarTablesOff    bool
	ContentWidth         int
	// Theme is the kind of theme to render.
	Theme string
}

// constant returns a constant of wp-config.php, nil without one.
func (in *Inputs) constant(name string) any {
	if in.Constant != nil {
		if v, ok := in.Constant(name); ok && v != "" {
			return v
		}
	}
	return nil
}
