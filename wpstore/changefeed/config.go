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

// Config names the servers and tables to follow.
type Config struct {
	Servers *sqlconn.Servers
	// Hub reads the log for several sites; nil for a site with a connection of its own.
	Hub    *Hub
	Tables table.Names
	// Options and NetworkOptions are the names of the options that all responses depend on.
	Options, NetworkOptions []string
	// Tickets are the types of posts that are tickets or attendees, and the keys of the
	// metadata that events show of them.
	Tickets []string
	// Plugins are all language plugins that the site may use.
	Plugins []rowtags.Storage
	// Watcher may be nil.
	Watcher Watcher
	// Complete adds the tags that follow from those changed; nil adds nothing.
	Complete func([]invalidation.Tag) []invalidation.Tag
}

// Watcher is notified of the transactions that changed the rows behind counts and ranges.
// It identifies those of this process. Its methods must be quick.
type Watcher interface {
	// Begin is called when changes begin to arrive, End when they no longer do.
	Begin()
	End()
	// Ours reports whether a transaction is one of this process's whose COMMIT the server
	// has confirmed. It may wait a moment for pending confirmations.
	Ours(ctx context.Context, gtid string) bool
	// Seen is called with each transaction once everybody can read what it has written, before
	// [Feed.CatchUp] returns for it: its GTID, the posts whose occurrences it changed, the
	// greatest id of a post whose metadata it changed (0 for none), and whether anything else
	// may have changed that determines which posts are public, and which terms they have. The GTID
	// is "" for changes that the log doesn't have.
	Seen(gtid string, dated []int64, described int64, others bool)
}

// Recorder records what has changed. Its methods must be quick.
type Recorder interface {
	// Resume returns the text of the mark up to which changes were recorded last, possibly
	// by an earlier process; nil if there is none. [Feed.Follow] calls it once, before the
	// other methods. It may wait.
	Resume(ctx context.Context) []byte
	// Begin is called when changes after a mark in the log start to be recorded. missed is
	// set if there may have been unrecorded changes since the last recorded one. It is not
	// set if the log still has all of them and is confirmed to be the same log; package
	// journal documents how far that goes.
	Begin(missed bool, at encoding.TextMarshaler)
	// Record is called with what has changed up to a mark, possibly everything. It is
	// called once every connection can read the change, and before [Feed.CatchUp] returns
	// for it. The mark is nil for changes that the log doesn't have. Its text is empty if
	// no other process could resume there.
	Record(tags []invalidation.Tag, everything bool, at encoding.TextMarshaler)
}

// Position stores how far changes have reached the tracker. Its methods must be quick.
type Position interface {
	// Resume returns the text of the mark to continue from, like that of a Recorder.
	Resume(ctx context.Context) []byte
	// Begin is called like that of a Recorder.
	Begin(missed bool, at encoding.TextMarshaler)
	// Reached is called after the tracker was invalidated by all changes up to a mark. Its text is empty
	// if no other process could resume there.
	Reached(at encoding.TextMarshaler)
}

// Observer holds the callbacks of [Feed.Follow]. Each may be nil and must be quick.
type Observer struct {
	// Recorder may be nil.
	Recorder Recorder
	// Position may be nil. The log is read from its mark, or from the Recorder's if that is earlier. If
	// there is a Recorder without a mark, both have missed changes.
	Position Position
	// Following is called with (true, nil) when changes begin to arrive, and with false and
	// the reason when they no longer do.
	Following func(bool, error)
	// Applied is called after each invalidation with the number of transactions, and
	// the time since the first of them arrived.
	Applied func(transactions int, delay time.Duration)
	// Others is called with the other tables of the database that have changed, before the tracker
	// is invalidated. A table is named without prefix. An option that nothing depends on is
	// "options:NAME", a post of another type is "posts:TYPE", and metadata of posts that only plugins
	// read is "postmeta:KEY".
	Others func(names []string)
	// Harmless reports whether changes of such metadata invalidate nothing; nil for never.
	Harmless func(name string) bool
	// Hidden is called before the tracker is invalidated if something may be hidden from a client
	// that saw it before (see [rowtags.Changes.Hides]).
	Hidden func()
}

// taxonomies returns the roles of the taxonomies of all plugins, by name.
func (cfg *Config) taxonomies() map[string]rowtags.TaxonomyRole {
	all := map[string]rowtags.TaxonomyRole{}
	for _, p := range cfg.Plugins {
		maps.Copy(all, p.Taxonomies)
	}
	return all
}

// logTables returns which tables of the site matter, and a function that reads the
// positions of their columns.
func (cfg *Config) logTables(src *Source, o *Observer) tablesConfig {
	of := tablesConfig{Schema: src.Config().DBName, Names: cfg.Tables, Others: o.Others != nil, Query: src.Query, Logger: cfg.Servers.Logger()}
	of.Followed = rowtags.WordPress{Options: cfg.Options, NetworkOptions: cfg.NetworkOptions, Tickets: cfg.Tickets, Roles: cfg.taxonomies(), Harmless: o.Harmless}.Tables()
	for _, plugin := range cfg.Plugins {
		of.Followed = append(of.Followed, plugin.Tables...)
		of.Optional = append(of.Optional, plugin.Optional...)
	}
	return of
}
