package calendar

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Lookups caches the look-ups of one request: validators, permissions and handlers share
// them. It is not safe for concurrent use.
type Lookups struct {
	stores Stores
	site   *wpsite.Site

	// slugFound is the post of the slug that was looked up last.
	slug      slugLookup
	slugFound []int64
	// rights are those of the post that was looked up last.
	rightsID int64
	rights   *wpcap.Post
	// heads are the posts found so far. The next look-up also reads those that are expected.
	heads    map[int64]wpstore.PostHead
	expected []int64
	read     map[int64]bool
	terms    []termLookup
	trees    map[string]map[int64]wpstore.Term
	// groups are the translations of the posts that were looked up last.
	translated []int64
	groups     map[int64]i18n.Group
}

// NewLookups returns the look-ups of a request, of which none has been made yet.
func NewLookups(stores Stores, site *wpsite.Site) Lookups {
	return Lookups{stores: stores, site: site, heads: map[int64]wpstore.PostHead{}, read: map[int64]bool{}}
}

// slugLookup are the arguments of PostsBySlug.
type slugLookup struct {
	kind *api.PostKind
	text string
}

// PostBySlug finds a post as WordPress's page-by-path look-up does: the text is url-decoded,
// encoded again and split at slashes, and each part is made a slug. A text that yields no slug thus
// finds a post without one. Of several posts it finds the oldest. 0 means none.
func (l *Lookups) PostBySlug(ctx context.Context, kind *api.PostKind, text string) (int64, error) {
	ids, err := l.PostsBySlug(ctx, kind, text)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return ids[0], nil
}

// PostsBySlug returns all posts that PostBySlug chooses from, in the order of their ids.
func (l *Lookups) PostsBySlug(ctx context.Context, kind *api.PostKind, text string) ([]int64, error) {
	asked := slugLookup{kind, text}
	if l.slug == asked {
		return l.slugFound, nil
	}
	path := strings.NewReplacer("%2F", "/", "%20", " ").Replace(phpform.RawURLEncode(phpform.URLDecode(text)))
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, s := range segments {
		segments[i] = sanitize.SlugQuery(s)
	}
	ids, err := l.stores.Posts.PostIDsByPath(ctx, kind.PostType, segments)
	if err == nil {
		l.slug, l.slugFound = asked, ids
	}
	return ids, err
}

// Rights returns the facts that the rights to a post depend on, nil if there is no such post.
func (l *Lookups) Rights(ctx context.Context, id int64) (*wpcap.Post, error) {
	if l.rightsID == id {
		return l.rights, nil
	}
	heads, err := l.stores.Posts.PostHeads(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	l.rightsID, l.rights = id, nil
	if head, ok := heads[id]; ok {
		l.rights = &wpcap.Post{ID: id, Author: head.Author, Type: head.Type, Status: head.Status}
		if head.Status == "trash" {
			const key = "_wp_trash_meta_status" // the status before the post was trashed
			meta, err := l.stores.Posts.PostMetaKeys(ctx, []int64{id}, []string{key})
			l.rights.TrashStatus, _ = meta[id].First(key)
			return l.rights, err
		}
	}
	return l.rights, nil
}

// ForgetPosts drops cached posts after a write, so that the Allow header describes the
// post as it is now.
func (l *Lookups) ForgetPosts() {
	l.rightsID, l.slug = 0, slugLookup{}
	clear(l.heads)
	clear(l.read)
}

// Expect announces ids that Exist will be called with, so that one statement reads all of them.
func (l *Lookups) Expect(ids ...int64) { l.expected = append(l.expected, ids...) }

// Exist reports whether all of ids are posts of a kind, in any status.
func (l *Lookups) Exist(ctx context.Context, kind *api.PostKind, ids ...int64) (bool, error) {
	return l.all(ctx, ids, func(head wpstore.PostHead) bool { return head.Type == kind.PostType })
}

// Images reports whether all of ids are attachments that are images.
func (l *Lookups) Images(ctx context.Context, ids ...int64) (bool, error) {
	return l.all(ctx, ids, func(head wpstore.PostHead) bool {
		return head.Type == "attachment" && strings.HasPrefix(head.MimeType, "image/")
	})
}

// all reports whether there is a post that matches for each id. At most one statement.
func (l *Lookups) all(ctx context.Context, ids []int64, matches func(wpstore.PostHead) bool) (bool, error) {
	if slices.ContainsFunc(ids, func(id int64) bool { return !l.read[id] }) {
		all := slices.Concat(ids, l.expected)
		slices.Sort(all)
		all = slices.Compact(all)
		heads, err := l.stores.References.LinkedHeads(ctx, all)
		if err != nil {
			return false, err
		}
		maps.Copy(l.heads, heads)
		for _, id := range all {
			l.read[id] = true
		}
		l.expected = nil
	}
	for _, id := range ids {
		if head, ok := l.heads[id]; !ok || !matches(head) {
			return false, nil
		}
	}
	return true, nil
}

// Head returns the facts that the rights of a viewer to a post depend on. The post is one that
// Exist found.
func (l *Lookups) Head(id int64) *wpstore.Post {
	h := l.heads[id]
	return &wpstore.Post{ID: id, Author: h.Author, Type: h.Type, Status: h.Status, Password: h.Password}
}

// UsersExist reports whether all of ids are accounts. One statement.
func (l *Lookups) UsersExist(ctx context.Context, ids ...int64) (bool, error) {
	unique := slices.Compact(slices.Sorted(slices.Values(ids)))
	n, err := l.stores.Users.CountUsers(ctx, unique)
	return n == int64(len(unique)), err
}

// InLanguage replaces ids of posts by their translations where the language of a list needs it,
// with one query for the same ids in several languages. Except under exact, a post that the viewer
// doesn't see has no translations and is not a translation (known difference S9).
func (l *Lookups) InLanguage(ctx context.Context, ids []int64, code string, sees func(*wpstore.Post) bool) ([]int64, error) {
	languages := &l.site.Languages
	if len(ids) == 0 || !languages.Roots || !languages.Adjusts(code) {
		return ids, nil
	}
	if !slices.Equal(ids, l.translated) {
		groups, err := l.stores.Posts.PostTranslations(ctx, &languages.Languages, ids)
		if err == nil && !l.site.Compat.Exact() {
			groups, err = l.seenGroups(ctx, ids, groups, sees)
		}
		if err != nil {
			return nil, err
		}
		l.translated, l.groups = slices.Clone(ids), groups
	}
	translated := i18n.Translate(ids, l.groups, code)
	slices.Sort(translated)
	return slices.Compact(translated), nil
}

// seenGroups copies the groups of ids without posts that the viewer doesn't see. It makes one
// statement for any number of groups.
func (l *Lookups) seenGroups(ctx context.Context, ids []int64, groups map[int64]i18n.Group, sees func(*wpstore.Post) bool) (map[int64]i18n.Group, error) {
	members := slices.Clone(ids)
	for _, group := range groups {
		members = slices.AppendSeq(members, maps.Values(group))
	}
	slices.Sort(members)
	heads, err := l.stores.Posts.PostHeads(ctx, slices.Compact(members))
	if err != nil {
		return nil, err
	}
	maps.Copy(l.heads, heads)
	seen := func(id int64) bool { _, ok := heads[id]; return ok && sees(l.Head(id)) }
	out := map[int64]i18n.Group{}
	for id, group := range groups {
		if !seen(id) {
			continue
		}
		out[id] = maps.Clone(group)
		maps.DeleteFunc(out[id], func(_ string, member int64) bool { return !seen(member) })
	}
	return out, nil
}

// TermTree reads a taxonomy.
func (l *Lookups) TermTree(ctx context.Context, tax *api.TaxonomyKind) (map[int64]wpstore.Term, error) {
	if tree, known := l.trees[tax.Name]; known {
		return tree, nil
	}
	tree, err := l.stores.Terms.TermTree(ctx, tax.Name)
	if err != nil {
		return nil, err
	}
	if l.trees == nil {
		l.trees = map[string]map[int64]wpstore.Term{}
	}
	l.trees[tax.Name] = tree
	return tree, nil
}

// WithDescendants adds everything below terms of a taxonomy, each once.
func (l *Lookups) WithDescendants(ctx context.Context, tax *api.TaxonomyKind, ids []int64) ([]int64, error) {
	tree, err := l.TermTree(ctx, tax)
	if err != nil {
		return nil, err
	}
	children := map[int64][]int64{}
	for id, t := range tree {
		children[t.Parent] = append(children[t.Parent], id)
	}
	seen := map[int64]bool{}
	var out []int64
	var walk func(int64)
	walk = func(id int64) {
		if seen[id] {
			return
		}
		seen[id] = true
		out = append(out, id)
		for _, child := range children[id] {
			walk(child)
		}
	}
	for _, id := range ids {
		walk(id)
	}
	slices.Sort(out)
	return out, nil
}

// TermSet is the result of one look-up of terms.
type TermSet struct {
	wpstore.TermMatches
	slug func(text string) string
}

// Slug returns the slug of a text on the site.
func (t TermSet) Slug(text string) string { return t.slug(text) }

// termLookup is a look-up of terms with its result.
type termLookup struct {
	taxonomy string
	asked    wpstore.TermLookup
	found    TermSet
}

// Terms looks terms up: numbers by id and slug, other entries by slug and name,
// with their translations on a site with languages.
func (l *Lookups) Terms(ctx context.Context, taxonomy string, list []php.Value) (TermSet, error) {
	asked := wpstore.TermLookup{Translations: l.site.Languages.Plugin}
	for _, item := range list {
		switch item := item.(type) {
		case int64:
			asked.IDs = append(asked.IDs, item)
			asked.Slugs = append(asked.Slugs, php.ToString(item))
		default:
			text := php.ToString(item)
			asked.Slugs = append(asked.Slugs, l.site.Slug(text))
			asked.Names = append(asked.Names, text)
		}
	}
	for _, known := range l.terms {
		if known.taxonomy == taxonomy && reflect.DeepEqual(known.asked, asked) {
			return known.found, nil
		}
	}
	m, err := l.stores.Terms.LookupTerms(ctx, taxonomy, asked)
	found := TermSet{m, l.site.Slug}
	if err == nil {
		l.terms = append(l.terms, termLookup{taxonomy, asked, found})
	}
	return found, err
}

// Accepts reports whether an entry of the list names a term. A text that yields no slug passes, and
// matches nothing.
func (t TermSet) Accepts(item php.Value) bool {
	if id, ok := item.(int64); ok {
		_, ok := t.ByID[id]
		return ok
	}
	text := php.ToString(item)
	slug := t.slug(text)
	if slug == "" {
		return true
	}
	if _, ok := t.BySlug[slug]; ok {
		return true
	}
	_, ok := t.ByName[text]
	return ok
}

// SlugIn finds the term of a slug in a language, "" for any.
func (t TermSet) SlugIn(slug, code string) (wpstore.Term, bool) {
	for _, same := range t.SameSlug[slug] {
		if code == "" || t.Groups[same.ID].Of(same.ID) == code {
			return same, true
		}
	}
	return wpstore.Term{}, false
}
