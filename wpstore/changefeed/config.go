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
	// Options and NetworkOptions are those that all answers depend on.
	Options, NetworkOptions []string
	// Plugins are all language plugins that the site may use.
	Plugins []Storage
	// Complete adds to what changed what follows from it; nil adds nothing.
	Complete func([]invalidation.Tag) []invalidation.Tag
}

// Options are details of [Feed.Follow]. The callbacks may be nil; they must be quick.
type Options struct {
	// ServerID is what the server knows this replica by; 0 takes one at random.
	ServerID uint32
	// Following is told when changes arrive (true, nil), and when not any more, and
	// why.
	Following func(bool, error)
	// Applied is told whenever the tracker was.
	Applied func(Applied)
}

// Applied is what the tracker was told at once.
type Applied struct {
	Transactions int
	// Delay is the time since the first of them arrived.
	Delay time.Duration
	// Committed is the server's clock when the last of them wrote, in whole seconds.
	Committed time.Time
}

// filings are those of all plugins, by taxonomy.
func (cfg *Config) filings() map[string]Filing {
	all := map[string]Filing{}
	for _, p := range cfg.Plugins {
		maps.Copy(all, p.Taxonomies)
	}
	return all
}
