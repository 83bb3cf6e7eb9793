package edit

import (
	"cmp"
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// eventParts are the parts of an event in a request that are not columns of its row.
type eventParts struct {
	zone  string // the name of its zone
	dates writtenDates
	image int64 // id of its picture, 0 for none
	links *eventLinks
	// counts are the counts of its terms before they are assigned, if the response shows them.
	counts map[int64]int64
}

// partsFinder finds the parts of one event, and then makes those that do not exist. Everything that
// the user may not do is refused between the two, before the first row is written.
type partsFinder struct {
	tx     *sitedb.Tx
	r      *wprest.Request
	linked *linkedEditor
	terms  eventTerms
	// venue and organizers are those of the request.
	venue, organizers *namedLinks
}

// find finds the parts of an event.
func (f *partsFinder) find(ctx context.Context, reader dateReader, e *wpedit.PostEdit) (*eventParts, error) {
	in, site := &f.r.Params, f.r.Place.Site
	p := &eventParts{zone: eventZone(in, site.Facts)}
	var err error
	p.dates, err = (&eventDates{dateReader: reader, in: in, site: site, zone: p.zone, stored: e.Meta}).read()
	if err != nil {
		return nil, err
	}
	venue, venueRefused := venueOf(in.Get(tribev1.Singular(api.Venues)))
	organizers, refused := organizersOf(in.Get(tribev1.Singular(api.Organizers)))
	f.venue, f.organizers = venue, organizers
	var name wpstore.PostName
	if venueRefused == nil && refused == nil {
		name = f.expectedName(e)
	}
	if err := f.terms.find(ctx, name); err != nil {
		return nil, err
	}
	p.links = &eventLinks{}
	if e.ID != 0 {
		if err := p.links.readStored(ctx, f.tx, f.r.Place, e.Meta); err != nil {
			return nil, err
		}
	}
	if venueRefused != nil {
		return nil, venueRefused
	}
	if refused == nil {
		if err := f.lockNames(ctx, e); err != nil {
			return nil, err
		}
	}
	if err := f.venue.find(ctx, f.linked); err != nil {
		return nil, err
	}
	if refused != nil {
		return nil, refused
	}
	return p, f.organizers.find(ctx, f.linked)
}

// expectedName returns the slug of a new event to be checked together with its terms, the zero Name
// if there are more slugs to lock.
func (f *partsFinder) expectedName(e *wpedit.PostEdit) wpstore.PostName {
	status, err := f.r.Viewer.Status(f.r.Get("status"), nil)
	if err != nil || e.ID != 0 || len(f.newNames()) > 0 || status != "publish" || f.r.Place.Site.Languages.Plugin != i18n.NoPlugin {
		return wpstore.PostName{} // refused later
	}
	return f.ownName()
}

// ownName returns the slug that a new event would get, to be locked.
func (f *partsFinder) ownName() wpstore.PostName {
	slug := f.r.Place.Site.Slug
	return wpstore.PostName{Type: api.Events.PostType, Slug: cmp.Or(slug(f.r.Text("slug")), slug(f.r.Text("title")))}
}

// newNames returns the slugs that new venues and organizers would get.
func (f *partsFinder) newNames() (names []wpstore.PostName) {
	slug := f.r.Place.Site.Slug
	for _, links := range []*namedLinks{f.venue, f.organizers} {
		for _, entry := range links.entries {
			if entry.data != nil {
				names = append(names, wpstore.PostName{Type: links.kind.PostType, Slug: slug(php.ToString(entry.data.At(tribev1.Singular(links.kind))))})
			}
		}
	}
	return names
}

// lockNames locks the slugs of new venues, organizers and the event, all at once: requests that
// lock them one by one may wait for each other.
func (f *partsFinder) lockNames(ctx context.Context, e *wpedit.PostEdit) error {
	names := f.newNames()
	if len(names) > 0 && e.ID == 0 {
		names = append(names, f.ownName())
	}
	return f.tx.PostEditor.LockNames(ctx, names...)
}

// make makes the parts that do not exist, in the order of the reference, and sets the terms
// of e.
func (f *partsFinder) make(ctx context.Context, p *eventParts, e *wpedit.PostEdit) (err error) {
	p.image, err = f.r.Pictures.Attach(ctx, &f.tx.Posts, f.tx.PostEditor, f.r.Get("image"))
	if err != nil {
		return err
	}
	if e.Terms, err = f.terms.make(ctx); err != nil {
		return err
	}
	if err := p.links.make(ctx, f.venue, f.organizers, f.linked); err != nil {
		return err
	}
	if err := f.terms.makeTagIDs(ctx, e.Terms); err != nil {
		return err
	}
	if showsOldRows(f.r.Place) && p.links.made {
		p.counts, err = termCounts(ctx, f.tx, e.Terms)
	}
	return err
}
