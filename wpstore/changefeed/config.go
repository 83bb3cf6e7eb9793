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
	// Complete adds the tags that follow from those changed; nil adds nothing.
	Complete func([]invalidation.Tag) []invalidation.Tag
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
