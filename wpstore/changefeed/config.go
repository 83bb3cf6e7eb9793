package changefeed

import (
	"maps"
	"time"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Config says what is followed.
type Config struct {
	Servers *sqlconn.Servers
	Tables  table.Names
	// Options and NetworkOptions are those that all responses depend on.
	Options, NetworkOptions []string
	// Tickets are the types of posts that are tickets or attendees, and the keys of the
	// metadata that events show of them.
	Tickets []string
	// Plugins are all language plugins that the site may use.
	Plugins []Storage
	// Watched are tables, by name without prefix, whose changes Watcher is told of; nil for
	// no Watcher.
	Watched []string
	Watcher Watcher
	// Complete adds the tags that follow from those changed; nil adds nothing.
	Complete func([]invalidation.Tag) []invalidation.Tag
}

// Watcher learns which transactions have changed the watched tables. It must be quick.
type Watcher interface {
	// Begin: changes arrive from here on. End: they no longer do.
	Begin()
	End()
	// Seen is called with the GTIDs of such transactions once everybody can read what they
	// have written, before [Feed.CatchUp] returns for them.
	Seen(gtids []string)
}

// Observer has the callbacks of [Feed.Follow], which may be nil and must be quick.
type Observer struct {
	// Following is called when changes begin to arrive (true, nil), and when they no
	// longer do, and why.
	Following func(bool, error)
	// Applied is called after each invalidation with the number of transactions, and
	// the time since the first of them arrived.
	Applied func(transactions int, delay time.Duration)
}

// taxonomies are the roles of the taxonomies of all plugins, by name.
func (cfg *Config) taxonomies() map[string]TaxonomyRole {
	all := map[string]TaxonomyRole{}
	for _, p := range cfg.Plugins {
		maps.Copy(all, p.Taxonomies)
	}
	return all
}
