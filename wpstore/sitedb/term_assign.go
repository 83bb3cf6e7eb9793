package sitedb

import (
	"cmp"
	"context"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// PostTermSet are the terms that a post shall have in one taxonomy, by term id.
type PostTermSet struct {
	Taxonomy string
	IDs      []int64
}

// assignTerms gives the post its new terms. Ids that are no terms of the taxonomy
// are passed over.
func (e *PostEdit) assignTerms(ctx context.Context) error {
	for _, set := range e.Terms {
		var err error
		if set.IDs, err = e.tx.languages.termsOfPost(ctx, e, set); err != nil {
			return err
		}
		if err := e.assignTaxonomy(ctx, set); err != nil {
			return err
		}
	}
	e.Terms = nil
	return nil
}

// resaveTags does what is left to see of WordPress assigning a post its own tags
// anew, by name, whenever it updates the post: names that it writes with
// backslashes on the way count as a change.
func (e *PostEdit) resaveTags(ctx context.Context) error {
	n, err := e.tx.number(ctx, "terms.quoted_tags", sq.Select("COUNT(*)").
		From(e.tx.table("term_relationships")+" tr").
		Join(e.tx.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(e.tx.table("terms")+" t ON t.term_id = tt.term_id").
		Where(sq.Eq{"tr.object_id": e.ID, "tt.taxonomy": wpstore.TagTaxonomy}).
		Where(sq.Or{sq.Like{"t.name": contains("'")}, sq.Like{"t.name": contains(`"`)}, sq.Like{"t.name": contains(`\`)}}))
	if err != nil {
		return err
	}
	if n == 0 && e.tx.languages.resortsTags() {
		tags, err := e.tx.PostTerms(ctx, []int64{e.ID}, []string{wpstore.TagTaxonomy})
		if err != nil {
			return err
		}
		if !slices.IsSortedFunc(tags[e.ID], func(a, b wpstore.Term) int { return cmp.Compare(a.TaxonomyID, b.TaxonomyID) }) {
			n = 1
		}
	}
	if n > 0 {
		e.Meta.TouchTaxonomy(wpstore.TagTaxonomy, e.tx.now.Unix())
	}
	return nil
}

func (e *PostEdit) assignTaxonomy(ctx context.Context, set PostTermSet) error {
	terms, err := e.tx.Terms(ctx, set.Taxonomy, set.IDs)
	if err != nil {
		return err
	}
	var wanted []int64
	for _, id := range set.IDs {
		if t, ok := terms[id]; ok && !slices.Contains(wanted, t.TaxonomyID) {
			wanted = append(wanted, t.TaxonomyID)
		}
	}
	had, err := e.tx.ids(ctx, "terms.of_post", sq.Select("tr.term_taxonomy_id").
		From(e.tx.table("term_relationships")+" tr").
		Join(e.tx.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": e.ID, "tt.taxonomy": set.Taxonomy}))
	if err != nil {
		return err
	}
	var changed, removed []int64
	for _, id := range had {
		if !slices.Contains(wanted, id) {
			removed = append(removed, id)
		}
	}
	insert := sq.Insert(e.tx.table("term_relationships")).Columns("object_id", "term_taxonomy_id", "term_order")
	for _, id := range wanted {
		if !slices.Contains(had, id) {
			insert = insert.Values(e.ID, id, 0)
			changed = append(changed, id)
		}
	}
	if len(changed) > 0 {
		if err := e.tx.change(ctx, "terms.assign", insert); err != nil {
			return err
		}
	}
	if len(removed) > 0 {
		if err := e.tx.change(ctx, "terms.unassign", sq.Delete(e.tx.table("term_relationships")).
			Where(sq.Eq{"object_id": e.ID}).Where(idList("term_taxonomy_id", removed))); err != nil {
			return err
		}
	}
	if changed = append(changed, removed...); len(changed) == 0 {
		return nil
	}
	e.Meta.TouchTaxonomy(set.Taxonomy, e.tx.now.Unix())
	return e.tx.recount(ctx, set.Taxonomy, changed)
}

// publishLinked publishes the drafts, and whatever else is not public or private,
// among the venues and organizers that a published event links to already, as far
// as the user may publish them. The event's new links do not count yet.
func (e *PostEdit) publishLinked(ctx context.Context) error {
	if e.Type != wpstore.EventType || e.Status != "publish" || e.rules.UserID == 0 {
		return nil
	}
	var ids []int64
	for _, key := range []string{"_EventVenueID", "_EventOrganizerID"} {
		for _, value := range e.Meta.All(key) {
			ids = append(ids, leadingID(value))
		}
	}
	heads, err := e.tx.PostHeads(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		head, ok := heads[id]
		linkable := head.Type == wpstore.VenueType || head.Type == wpstore.OrganizerType
		if !ok || !linkable || head.Status == "publish" || head.Status == "private" || !e.rules.MayPublish(head.Type) {
			continue
		}
		if err := e.publishOne(ctx, id); err != nil {
			return err
		}
		delete(heads, id)
	}
	return nil
}

func (e *PostEdit) publishOne(ctx context.Context, id int64) error {
	posts, err := e.tx.lockPosts(ctx, []int64{id})
	if err != nil || posts[id] == nil {
		return err
	}
	old := posts[id]
	p := *old
	p.Status = "publish"
	noted := p
	if noDate(noted.ModifiedGMT) {
		noted.ModifiedGMT = e.toUTC(noted.Modified)
	}
	if err := e.tx.addRevision(ctx, e.rules, &noted); err != nil {
		return err
	}
	if p.Name == "" { // only then the whole row is saved again
		if p.Name, err = e.tx.uniqueSlug(ctx, e.rules.Slug(p.Title), id, p.Type); err != nil {
			return err
		}
		if noDate(p.DateGMT) {
			p.DateGMT = e.toUTC(p.Date)
		}
		p.Modified, p.ModifiedGMT = e.localTime(), e.utcTime()
		p.GUID = escapeGUID(p.GUID)
	}
	return e.tx.updatePost(ctx, id, changedColumns(old, &p))
}

// leadingID is the id that a meta value begins with, 0 for none.
func leadingID(s string) int64 {
	var n int64
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<50; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}
