package edit

import (
	"context"

	"calbridge/rest/routes"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
)

// eventParts are what a request says of an event besides the columns of its row.
type eventParts struct {
	zone  string // the name of its zone
	dates writtenDates
	image int64 // id of its picture, 0 for none
	links *eventLinks
	// counts of its terms before they are assigned, if the answer shows them.
	counts map[int64]int64
}

// findParts finds the parts of an event, makes those that do not exist, and sets the terms
// of e.
func findParts(ctx context.Context, tx *sitedb.Tx, r *routes.Request, reader dateReader, e *wpedit.PostEdit) (*eventParts, error) {
	in, site := &r.Params, r.Place.Site
	p := &eventParts{zone: eventZone(in, site.Facts)}
	var err error
	p.dates, err = (&eventDates{dateReader: reader, in: in, site: site, zone: p.zone, stored: e.Meta}).read()
	if err != nil {
		return nil, err
	}
	p.image, err = r.Pictures.Attach(ctx, tx, in.Get("image"))
	if err != nil {
		return nil, err
	}
	terms := eventTerms{tx: tx, place: r.Place, viewer: r.Viewer, in: in, event: e.ID}
	e.Terms, err = terms.sets(ctx)
	if err != nil {
		return nil, err
	}
	p.links, err = storedLinks(ctx, tx, r.Place, e)
	if err != nil {
		return nil, err
	}
	if err := p.links.read(ctx, in, newLinkedEditor(tx, r)); err != nil {
		return nil, err
	}
	if err := terms.makeTagIDs(ctx, e.Terms); err != nil {
		return nil, err
	}
	if showsOldRows(r.Place) && p.links.made {
		p.counts, err = termCounts(ctx, tx, e.Terms)
	}
	return p, err
}
