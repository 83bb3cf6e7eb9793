package sitedb

import (
	"slices"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/options"
)

// newFeed is the feed of what others change in the site's tables.
func (db *DB) newFeed() *changefeed.Feed {
	site, network := options.Read(db.tables.Prefix())
	return changefeed.New(changefeed.Config{
		Servers: db.Servers, Tables: db.tables, Options: site, NetworkOptions: network,
		Plugins: db.plugins.Storage(), Complete: db.withEvents,
	})
}

// withEvents adds that lists of events changed when posts did, where no event index
// finds out whether they did.
func (db *DB) withEvents(tags []invalidation.Tag) []invalidation.Tag {
	if db.index.Load() == nil && slices.Contains(tags, invalidation.Tag{Kind: invalidation.Posts}) {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Events})
	}
	return tags
}
