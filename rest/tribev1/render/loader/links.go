package loader

import (
	"context"
	"maps"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
)

// loadLinked reads the venues and organizers of events, in the translations that the response
// shows. events are in the order of the response.
func (l *Loader) loadLinked(ctx context.Context, set *Set, events []int64) error {
	links, joined := make([][]int64, len(events)), make([]int64, 0, 4*len(events))
	for i, id := range events {
		first := len(joined)
		joined = Append(joined, set.Meta[id])
		links[i] = joined[first:len(joined):len(joined)]
	}
	all := distinct(slices.Clone(joined))
	if len(all) == 0 {
		return nil
	}
	root, first := l.Place.Lang.Root, l.Place.Lang.Items()
	if first != "" && l.Place.Site.Languages.Plugin != i18n.NoPlugin {
		var err error
		if set.groups, err = l.Store.PostTranslations(ctx, l.languages(), all); err != nil {
			return err
		}
	}
	ids := i18n.Translate(all, set.groups, root)
	set.pictures = l.picturesOf(set)
	if !l.Place.Site.Compat.Exact() {
		err := l.loadPosts(ctx, set, slices.Concat(all, ids, i18n.Translate(all, set.groups, first)), set.pictures)
		set.show(all, root, first)
		return err
	}
	if first == root || len(set.groups) == 0 {
		return l.loadPosts(ctx, set, ids, set.pictures)
	}
	// The first event that shows its links may be any up to one that surely does.
	n := 0
	for n < len(events) {
		ids = append(ids, i18n.Translate(links[n], set.groups, first)...)
		ev := set.Posts[events[n]]
		n++
		if ev != nil && ev.Password == "" && len(links[n-1]) > 0 {
			break
		}
	}
	if err := l.loadPosts(ctx, set, ids, set.pictures); err != nil {
		return err
	}
	// That language shows none if all its links are broken.
	for _, id := range i18n.Translate(links[n-1], set.groups, first) {
		if set.Posts[id] != nil {
			return nil
		}
	}
	return l.loadPosts(ctx, set, i18n.Translate(slices.Concat(links[n:]...), set.groups, first), nil)
}

// loadPosts adds the linked posts that the viewer sees, with their meta, to the set, and
// pictures to its media. Without ids it costs no query. Under exact the response shows all of
// them.
func (l *Loader) loadPosts(ctx context.Context, set *Set, ids, pictures []int64) error {
	ids = distinct(ids) // without translations, each id is there three times
	rows := set.with
	all := slices.DeleteFunc(distinct(slices.Concat(ids, pictures)), func(id int64) bool { return set.was[id] })
	if len(all) > 0 {
		more, err := l.Store.PostSet(ctx, l.languages(), all, nil)
		if err != nil {
			return err
		}
		rows = more
		maps.Copy(rows.Posts, set.with.Posts)
		maps.Copy(rows.Meta, set.with.Meta)
	}
	if set.linked == nil {
		set.linked = make(map[int64]*wpstore.Post, len(ids))
	}
	for _, id := range ids {
		if p := rows.Posts[id]; p != nil && l.sees(p) {
			set.linked[id] = p
			set.Meta[id] = rows.Meta[id]
		}
	}
	if l.Place.Site.Compat.Exact() {
		maps.Copy(set.Posts, set.linked)
	}
	for _, id := range pictures {
		if p := rows.Posts[id]; p != nil {
			l.file(set, p, rows.Meta[id])
		}
	}
	return nil
}

// sees reports whether the viewer sees links of events to a post.
func (l *Loader) sees(p *wpstore.Post) bool {
	return l.Viewer.SeesLink(p, api.Venues) || l.Viewer.SeesLink(p, api.Organizers)
}

// picturesOf lists the files that the events show. They are read together with the linked
// posts, which saves a query in most responses.
func (l *Loader) picturesOf(set *Set) []int64 {
	var ids []int64
	for id, p := range set.Posts {
		if thumb := Picture(set.Meta[id]); thumb > 0 {
			ids = append(ids, thumb)
		}
		ids = append(ids, l.collectRefs(p).Attachments()...)
	}
	return distinct(ids)
}

// distinct sorts ids in place and drops repeated ones.
func distinct(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}
