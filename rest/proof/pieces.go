package proof

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/fragment"
	"calbridge/wpstore/invalidation"
)

// Piece is an entry of a list that is decided about by itself.
type Piece struct {
	// Ours is calbridge's rendering. Shown is what may be shown, nil for nothing.
	Ours, Shown []byte
	// Closed reports that WordPress has refused the entry or left it out since its rows changed.
	Closed bool
}

// Pieces decides about each entry of our response to a list, after [Prover.Release] has not released the
// whole. The kind of request must be proven, of our own responses or of composed ones. An entry may be
// shown by the rules for objects: WordPress has shown it in a response of this route since its rows changed
// last, or its fragment is kept. ok is false if nothing may be shown.
func (p *Prover) Pieces(r Request, d *api.Summary) (document *fragment.Document, all []Piece, ok bool) {
	if !p.cfg.Tracker.Active() || p.retired.Load() || !d.Shared || !p.facts.current() || p.held() != None {
		return nil, nil, false
	}
	shape, ok := p.shape(r.Query(), r.Site(), d)
	if !ok || !p.facts.sites.admit(shape.Site) {
		return nil, nil, false
	}
	own := p.proven(shape) && len(d.NotRendered) == 0
	shape.Composed = true
	at, composed := p.fragmentsOf(r.Query(), r.Site(), d)
	composed = composed && p.proven(shape)
	if !own && !composed {
		return nil, nil, false
	}
	document, err := fragment.SplitBody(d.ContentType, d.Body)
	if err != nil || !document.IsList() {
		return nil, nil, false
	}
	fragments := make([][]byte, document.Len())
	if composed {
		fragments = p.composer.store.Each(at, document, p.composer.down())
	}
	var since int64
	if p.cfg.MaxAge > 0 && !p.composer.fails() {
		since = p.cfg.Now().UnixNano() - int64(p.cfg.MaxAge) + 1
	}
	tags := tagsOfEach(document, d.Tags)
	all = make([]Piece, document.Len())
	for i := range all {
		all[i].Ours = document.Object(i)
		if tags[i] == nil { // the response's tags don't show what the entry depends on
			continue
		}
		found, _ := p.objects.check(shape.place(), tags[i], since)
		switch {
		case found == closed:
			all[i].Closed = true
		case found == allOpen && own:
			all[i].Shown = all[i].Ours
		default:
			all[i].Shown = fragments[i]
		}
	}
	return document, all, true
}

// proven reports whether a kind of requests is proven.
func (p *Prover) proven(s Shape) bool {
	e := p.book.find(s)
	return e != nil && e.proven.Load()
}

// tagsOfEach returns the tags of each entry of a list. A tag whose row no entry shows belongs to all of them.
func tagsOfEach(document *fragment.Document, tags []invalidation.Tag) [][]invalidation.Tag {
	each, shown := make([][]invalidation.Tag, document.Len()), map[invalidation.Tag]bool{}
	for i := range each {
		each[i] = document.TagsOf(i, tags)
		for _, tag := range each[i] {
			shown[tag] = true
		}
	}
	others := slices.DeleteFunc(slices.Clone(tags), func(tag invalidation.Tag) bool { return !isObject(tag) || shown[tag] })
	for i := range each {
		if each[i] != nil {
			each[i] = append(each[i], others...)
		}
	}
	return each
}
