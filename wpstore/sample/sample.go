package sample

import (
	"context"
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // the town's time zone must be available everywhere

	"calbridge/wpstore/sitedb"
)

// Options configure the calendar.
type Options struct {
	// Now is the time around which the events take place.
	Now time.Time
	// Home is the site's address, without a slash at its end.
	Home string
	// PasswordHash is stored as the hash of the administrator's application password, in
	// WordPress's format. If it is "", no password is stored.
	PasswordHash string
}

// Load creates the tables of WordPress and WPML in an empty database and fills them. The
// same options produce the same rows.
func Load(ctx context.Context, db *sitedb.DB, o Options) error {
	zone, err := time.LoadLocation(Zone)
	if err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	if err := errors.Join(db.CreateSchema(ctx), db.CreateLanguageSchema(ctx)); err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	now, languages, tables, slugs := o.Now.In(zone), languages(), newTables(), slugs{}
	terms := &terms{tables: tables, slugs: slugs, languages: languages, ids: map[string]int64{}, uses: map[int64]int64{}, codes: map[int64]string{}}
	posts := &posts{tables: tables, slugs: slugs, terms: terms, home: o.Home, zone: zone, languages: languages, ids: map[string]int64{}}
	writeOptions(tables, db.Table, o.Home, languages)
	writeUsers(tables, db.Table, now, o.PasswordHash)
	writeLanguages(tables, languages)
	terms.write()
	writeImages(posts, now)
	writeVenues(posts, now)
	writeOrganizers(posts, now)
	dates := &dates{tables: tables, now: now}
	for _, e := range calendar() {
		writeEvent(posts, dates, e)
	}
	terms.count()
	if err := tables.insert(ctx, db.SQL(), db.Table); err != nil {
		return fmt.Errorf("sample calendar: %w", err)
	}
	return nil
}

// words are a name and texts in one language.
type words struct{ name, text, excerpt string }

// language is one language of the town, with its words by key. Only items that have words
// in a language exist in it.
type language struct {
	code, locale, name string
	own                string            // its name in the language itself
	others             map[string]string // its names of the other languages
	countries          map[string]string

	events, venues, organizers, categories, tags map[string]words
}

// languages returns the languages, the default one first. The first language that has words
// for an item is that of the original.
func languages() []language { return []language{czech(), english(), german()} }
