package wpml

import (
	"context"
	"slices"
	"strconv"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// follower updates the translations of a post when the post was saved.
type follower struct {
	groups *translationGroups
	rows   *rowedit.Rows
	posts  rowedit.Posts
	terms  rowedit.Terms
	cron   *rowedit.Cron
	jobs   jobs
}

// post updates the group of a post that was saved. All translations get the date of the
// original. If the original was saved, they also get the translations of its terms.
func (f follower) post(ctx context.Context, saved *wpstore.Post) error {
	group, err := f.groups.group(ctx, postElement(saved.Type), saved.ID)
	own, original := member(group, saved.ID), originalOf(group)
	if err != nil || own == nil || original == nil || len(group) < 2 {
		return err
	}
	translations := slices.DeleteFunc(slices.Clone(group), func(e element) bool { return e.id == original.id })
	posts, err := f.posts.LockRows(ctx, idsOf(group))
	if err != nil || posts[original.id] == nil {
		return err
	}
	first := posts[original.id]
	date := f.dated(first)
	for _, e := range translations {
		if p := posts[e.id]; p != nil {
			dated := *p
			dated.Date, dated.DateGMT = first.Date, date
			if err := f.posts.Update(ctx, p, &dated); err != nil {
				return err
			}
		}
	}
	if own.id == original.id {
		for _, e := range translations {
			if err := f.takeTerms(ctx, original.id, &e); err != nil {
				return err
			}
		}
		for _, e := range translations {
			if err := f.jobs.needsUpdate(ctx, first, &e); err != nil {
				return err
			}
		}
	} else if err := f.jobs.translated(ctx, first, original, posts[own.id], own); err != nil {
		return err
	}
	f.publishLater(first, translations)
	return nil
}

// dated returns the date in UTC that translations get from their original. WordPress takes it from
// an original that becomes a draft, but not from its translations.
func (f follower) dated(original *wpstore.Post) string {
	if original.DateGMT != wpstore.NoDate {
		return original.DateGMT
	}
	at, err := time.ParseInLocation(time.DateTime, original.Date, f.rows.Zone)
	if err != nil {
		return wpstore.NoDate
	}
	return at.UTC().Format(time.DateTime)
}

func idsOf(group []element) []int64 {
	ids := make([]int64, len(group))
	for i := range group {
		ids[i] = group[i].id
	}
	return ids
}

// publishLater adds the cron events that WPML creates for the translations of every post
// that is saved, one second after its publication.
func (f follower) publishLater(original *wpstore.Post, translations []element) {
	at, err := time.Parse(time.DateTime, original.DateGMT)
	if err != nil {
		return // a draft
	}
	for _, e := range translations {
		f.cron.Schedule(rowedit.PublishHook, php.Strings(strconv.FormatInt(e.id, 10)), at.Add(time.Second))
	}
}

// pictureKey is the meta key of the picture of a post.
const pictureKey = "_thumbnail_id"

// picture copies the picture of an original, or its absence, to the translations.
func (f follower) picture(ctx context.Context, p *wpstore.Post) error {
	group, err := f.groups.group(ctx, postElement(p.Type), p.ID)
	if own := member(group, p.ID); err != nil || own == nil || own.source != "" || len(group) < 2 {
		return err
	}
	edits, err := f.posts.Lock(ctx, idsOf(group)...)
	own, ok := edits[p.ID]
	if err != nil || !ok {
		return err
	}
	id, given := own.Meta.First(pictureKey)
	var metas []*rowedit.MetaEdit
	for _, t := range group {
		e, ok := edits[t.id]
		if !ok || t.id == p.ID {
			continue
		}
		if given {
			e.Meta.Update(pictureKey, id)
		} else {
			e.Meta.Delete(pictureKey)
		}
		metas = append(metas, e.Meta)
	}
	return f.posts.Metas.Write(ctx, metas...)
}

// filedTerm is a term of a post with its translation into a language.
type filedTerm struct {
	id, translation int64 // term_taxonomy ids; translation is 0 if there is none
	code, taxonomy  string
}

// followedTaxonomies returns the taxonomies whose terms are copied to translations.
func followedTaxonomies() []string {
	return []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy, priorityTaxonomy}
}

func (f follower) termsInto(ctx context.Context, post int64, code string) ([]filedTerm, error) {
	var found []filedTerm
	var kinds []string
	for _, taxonomy := range followedTaxonomies() {
		kinds = append(kinds, termElement(taxonomy))
	}
	query := sq.Select("tt.term_taxonomy_id", "COALESCE(b.element_id, 0)", "a.language_code", "tt.taxonomy").
		From(f.rows.Table("term_relationships")+" tr").
		Join(f.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(f.rows.Table(translations)+" a ON a.element_id = tt.term_taxonomy_id").
		LeftJoin(f.rows.Table(translations)+" b ON b.trid = a.trid AND b.element_type = a.element_type AND b.language_code = ?", code).
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": followedTaxonomies(), "a.element_type": kinds}).
		OrderBy("tt.term_taxonomy_id")
	var t filedTerm
	err := f.rows.Query(ctx, "wpml.terms_into", query,
		sqlconn.EachRow(func() { found = append(found, t) }, &t.id, &t.translation, &t.code, &t.taxonomy))
	return found, err
}

// takeTerms gives a translation the translations of its original's terms. The translation
// loses only terms of its own language. Only the terms that it gains are recounted.
func (f follower) takeTerms(ctx context.Context, original int64, e *element) error {
	terms, err := f.termsInto(ctx, original, e.code)
	if err != nil {
		return err
	}
	had, err := f.termsInto(ctx, e.id, e.code)
	if err != nil {
		return err
	}
	gained := map[string][]int64{}
	var wanted, added, lost []int64
	for _, t := range terms {
		if t.translation == 0 || slices.Contains(wanted, t.translation) {
			continue
		}
		wanted = append(wanted, t.translation)
		if !slices.ContainsFunc(had, func(h filedTerm) bool { return h.id == t.translation }) {
			added = append(added, t.translation)
			gained[t.taxonomy] = append(gained[t.taxonomy], t.translation)
		}
	}
	for _, h := range had {
		if h.code == e.code && !slices.Contains(wanted, h.id) {
			lost = append(lost, h.id)
		}
	}
	f.rows.Changed.Posts(e.id)
	if err := f.terms.Unrelate(ctx, "languages.unrelate", e.id, lost); err != nil {
		return err
	}
	if err := f.terms.Relate(ctx, "languages.relate", e.id, added); err != nil {
		return err
	}
	if len(gained[wpstore.CategoryTaxonomy])+len(gained[wpstore.TagTaxonomy]) == 0 {
		return nil
	}
	edits, err := f.posts.Lock(ctx, e.id)
	edit, ok := edits[e.id]
	if err != nil || !ok {
		return err
	}
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if len(gained[taxonomy]) > 0 {
			edit.Meta.TouchTaxonomy(taxonomy, f.rows.Now.Unix())
		}
		f.terms.Recount(taxonomy, gained[taxonomy])
	}
	return f.posts.Metas.Write(ctx, edit.Meta)
}
