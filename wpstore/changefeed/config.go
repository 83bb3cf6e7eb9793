package changefeed

import (
	"context"
	"encoding"
	"maps"
	"time"

	"calbridge/wpstore/changefeed/rowtags"
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
	Plugins []rowtags.Storage
	// Watcher may be nil.
	Watcher Watcher
	// Others, when not nil, is told which other tables of the database have changed, before
	// the tracker has the changes: by name without prefix, "options:NAME" for options that
	// nothing depends on, "posts:TYPE" for posts of other types. It must be quick.
	Others func(names []string)
	// Complete adds the tags that follow from those changed; nil adds nothing.
	Complete func([]invalidation.Tag) []invalidation.Tag
}

// Watcher learns which transactions have changed what counts and ranges are made of, and
// knows this process's. It must be quick.
type Watcher interface {
	// Begin: changes arrive from here on. End: they no longer do.
	Begin()
	End()
	// Ours reports whether a transaction is one of this process's, whose COMMIT the server has
	// answered. It may wait a moment for answers that are due.
	Ours(ctx context.Context, gtid string) bool
	// Seen is called with each transaction once everybody can read what it has written, before
	// [Feed.CatchUp] returns for it: its GTID, the posts whose occurrences it changed, and
	// whether anything else may have changed that tells which posts are public, and which
	// terms they have. The GTID is "" for changes that the log doesn't have.
	Seen(gtid string, dated []int64, others bool)
}

// Recorder keeps what has changed. Its methods must be quick.
type Recorder interface {
	// Resume returns the text of the mark up to which changes were recorded last, by an earlier
	// process too; nil for none. [Feed.Follow] calls it once, before the others. It may wait.
	Resume(ctx context.Context) []byte
	// Begin: changes after a mark in the log are recorded from here on. missed says that there may have
	// been others since the last one that was recorded. They weren't missed where the log
	// still has all of them, and is proved to be the same: package journal says how far that
	// goes.
	Begin(missed bool, at encoding.TextMarshaler)
	// Record: what has changed up to a mark, perhaps everything, once everybody can read it,
	// and before [Feed.CatchUp] returns for it. The mark is nil for changes that the log
	// doesn't have. Its text is empty if no other process could resume there.
	Record(tags []invalidation.Tag, everything bool, at encoding.TextMarshaler)
}

// Observer has the callbacks of [Feed.Follow], which may be nil and must be quick.
type Observer struct {
	// Recorder may be nil.
	Recorder Recorder
	// Following is called when changes begin to arrive (true, nil), and when they no
	// longer do, and why.
	Following func(bool, error)
	// Applied is called after each invalidation with the number of transactions, and
	// the time since the first of them arrived.
	Applied func(transactions int, delay time.Duration)
}

// taxonomies returns the roles of the taxonomies of all plugins, by name.
func (cfg *Config) taxonomies() map[string]rowtags.TaxonomyRole {
	all := map[string]rowtags.TaxonomyRole{}
	for _, p := range cfg.Plugins {
		maps.Copy(all, p.Taxonomies)
	}
	return all
}

// logTables says which tables of the site matter, and how to read where their columns are.
func (cfg *Config) logTables(src *Source) tablesConfig {
	of := tablesConfig{Schema: src.Config().DBName, Names: cfg.Tables, Others: cfg.Others != nil, Query: src.Query, Logger: cfg.Servers.Logger()}
	of.Followed = rowtags.WordPress{Options: cfg.Options, NetworkOptions: cfg.NetworkOptions, Tickets: cfg.Tickets, Roles: cfg.taxonomies()}.Tables()
	for _, plugin := range cfg.Plugins {
		of.Followed = append(of.Followed, plugin.Tables...)
		of.Optional = append(of.Optional, plugin.Optional...)
	}
	return of
}
