package calendar

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// fakeStore has rows in memory and records each call, which is a statement in a real store.
type fakeStore struct {
	PostStore // for the methods that look-ups don't call
	TermStore
	heads        map[int64]wpstore.PostHead
	paths        map[string][]int64 // ids by the segments of a path, joined by "|"
	meta         map[int64]wpstore.Meta
	translations map[int64]i18n.Group
	tree         map[int64]wpstore.Term
	users        []int64
	calls        []string
}

func (f *fakeStore) stores() Stores { return Stores{Posts: f, Terms: f, Users: f, References: f} }

func (f *fakeStore) PostIDsByPath(_ context.Context, postType string, segments []string) ([]int64, error) {
	key := postType
	for _, s := range segments {
		key += "|" + s
	}
	f.calls = append(f.calls, "path "+key)
	return f.paths[key], nil
}

func (f *fakeStore) PostHeads(_ context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	f.calls = append(f.calls, "heads")
	return f.some(ids), nil
}

func (f *fakeStore) LinkedHeads(_ context.Context, ids []int64) (map[int64]wpstore.PostHead, error) {
	f.calls = append(f.calls, "linked")
	return f.some(ids), nil
}

func (f *fakeStore) some(ids []int64) map[int64]wpstore.PostHead {
	found := map[int64]wpstore.PostHead{}
	for _, id := range ids {
		if head, ok := f.heads[id]; ok {
			found[id] = head
		}
	}
	return found
}

func (f *fakeStore) PostMetaKeys(context.Context, []int64, []string) (map[int64]wpstore.Meta, error) {
	f.calls = append(f.calls, "meta")
	return f.meta, nil
}

func (f *fakeStore) PostTranslations(context.Context, *i18n.Languages, []int64) (map[int64]i18n.Group, error) {
	f.calls = append(f.calls, "translations")
	return f.translations, nil
}

func (f *fakeStore) TermTree(context.Context, string) (map[int64]wpstore.Term, error) {
	f.calls = append(f.calls, "tree")
	return f.tree, nil
}

func (f *fakeStore) LookupTerms(context.Context, string, wpstore.TermLookup) (wpstore.TermMatches, error) {
	return wpstore.TermMatches{}, nil
}

func (f *fakeStore) CountUsers(_ context.Context, ids []int64) (n int64, err error) {
	for _, id := range ids {
		if slices.Contains(f.users, id) {
			n++
		}
	}
	return n, nil
}

func TestPostBySlug(t *testing.T) {
	for text, want := range map[string]struct {
		id   int64
		call string
	}{
		"jazz-night":     {7, "path tribe_events|jazz-night"},
		"Jazz%20Night":   {7, "path tribe_events|jazz-night"},
		"/parent/child/": {9, "path tribe_events|parent|child"},
		"parent%2Fchild": {9, "path tribe_events|parent|child"},
		"unknown":        {0, "path tribe_events|unknown"},
		"":               {3, "path tribe_events|"}, // a post without a slug
	} {
		t.Run(text, func(t *testing.T) {
			f := &fakeStore{paths: map[string][]int64{"tribe_events|jazz-night": {7, 8}, "tribe_events|parent|child": {9}, "tribe_events|": {3}}}
			l := NewLookups(f.stores(), &wpsite.Site{})
			for range 2 { // the second look-up of the same text reads nothing
				if id, err := l.PostBySlug(t.Context(), api.Events, text); err != nil || id != want.id {
					t.Errorf("%d, %v, want %d", id, err, want.id)
				}
			}
			if !slices.Equal(f.calls, []string{want.call}) {
				t.Errorf("read %q, want %q", f.calls, want.call)
			}
		})
	}
}

func TestRights(t *testing.T) {
	trashed := wpstore.NewMeta([]wpstore.MetaRow{{Key: "_wp_trash_meta_status", Value: "private"}}, wpstore.Digest{})
	f := &fakeStore{
		heads: map[int64]wpstore.PostHead{1: {ID: 1, Author: 5, Type: "tribe_venue", Status: "publish"}, 2: {ID: 2, Author: 6, Type: "tribe_venue", Status: "trash"}},
		meta:  map[int64]wpstore.Meta{2: trashed},
	}
	for id, want := range map[int64]*wpcap.Post{
		1: {ID: 1, Author: 5, Type: "tribe_venue", Status: "publish"},
		2: {ID: 2, Author: 6, Type: "tribe_venue", Status: "trash", TrashStatus: "private"},
		3: nil,
	} {
		l := NewLookups(f.stores(), &wpsite.Site{})
		if got, err := l.Rights(t.Context(), id); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("post %d: %+v, %v, want %+v", id, got, err, want)
		}
	}
}

// TestExist tests that all look-ups of linked posts take one statement, until a write.
func TestExist(t *testing.T) {
	f := &fakeStore{heads: map[int64]wpstore.PostHead{
		1: {ID: 1, Type: wpstore.VenueType, Status: "draft"}, 2: {ID: 2, Type: wpstore.OrganizerType},
		3: {ID: 3, Type: "attachment", MimeType: "image/webp"}, 4: {ID: 4, Type: "attachment", MimeType: "text/plain"},
	}}
	l := NewLookups(f.stores(), &wpsite.Site{})
	l.Expect(2, 3, 4, 9)
	for _, c := range []struct {
		name string
		ids  []int64
		look func(context.Context, ...int64) (bool, error)
		want bool
	}{
		{"a venue, in any status", []int64{1}, l.venues, true},
		{"an organizer is no venue", []int64{1, 2}, l.venues, false},
		{"a picture", []int64{3}, l.Images, true},
		{"another file", []int64{3, 4}, l.Images, false},
		{"no post", []int64{9}, l.Images, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.look(t.Context(), c.ids...); err != nil || got != c.want {
				t.Errorf("%t, %v, want %t", got, err, c.want)
			}
		})
	}
	if !slices.Equal(f.calls, []string{"linked"}) {
		t.Errorf("read %q, want one statement", f.calls)
	}
	l.ForgetPosts()
	delete(f.heads, 1)
	if got, err := l.venues(t.Context(), 1); err != nil || got || len(f.calls) != 2 {
		t.Errorf("after a write: %t, %v, %d statements", got, err, len(f.calls))
	}
}

func (l *Lookups) venues(ctx context.Context, ids ...int64) (bool, error) {
	return l.Exist(ctx, api.Venues, ids...)
}

func TestUsersExist(t *testing.T) {
	f := &fakeStore{users: []int64{1, 2}}
	l := NewLookups(f.stores(), &wpsite.Site{})
	for _, c := range []struct {
		ids  []int64
		want bool
	}{{[]int64{1}, true}, {[]int64{2, 1, 2}, true}, {[]int64{1, 3}, false}} {
		if got, err := l.UsersExist(t.Context(), c.ids...); err != nil || got != c.want {
			t.Errorf("%v: %t, %v", c.ids, got, err)
		}
	}
}

// TestInLanguage tests which posts the ids of a list become in another language. 1 and 2 are
// translations of each other, and so are 3 and 4; 4 is hidden.
func TestInLanguage(t *testing.T) {
	groups := map[int64]i18n.Group{1: {"en": 1, "de": 2}, 3: {"en": 3, "de": 4}}
	for _, c := range []struct {
		name   string
		compat api.Compat
		code   string
		want   []int64
	}{
		{"the default language", api.Safe, "en", []int64{3, 1, 5}},
		{"another language", api.Safe, "de", []int64{2, 3, 5}},
		{"a hidden translation, like WordPress", api.Exact, "de", []int64{2, 4, 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fakeStore{translations: groups, heads: map[int64]wpstore.PostHead{
				1: {ID: 1, Status: "publish"}, 2: {ID: 2, Status: "publish"}, 3: {ID: 3, Status: "publish"}, 4: {ID: 4, Status: "private"}, 5: {ID: 5, Status: "publish"},
			}}
			site := &wpsite.Site{Compat: c.compat, Languages: wpsite.Languages{Roots: true, Languages: i18n.Languages{Plugin: i18n.WPML, Default: "en"}}}
			l := NewLookups(f.stores(), site)
			got, err := l.InLanguage(t.Context(), []int64{3, 1, 5}, c.code, func(p *wpstore.Post) bool { return p.Status == "publish" })
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
		})
	}
}

// TestWithDescendants tests trees with gaps, and a term that is its own ancestor.
func TestWithDescendants(t *testing.T) {
	f := &fakeStore{tree: map[int64]wpstore.Term{
		1: {ID: 1}, 2: {ID: 2, Parent: 1}, 3: {ID: 3, Parent: 2}, 4: {ID: 4, Parent: 99}, 5: {ID: 5, Parent: 6}, 6: {ID: 6, Parent: 5},
	}}
	l := NewLookups(f.stores(), &wpsite.Site{})
	for _, c := range []struct{ ids, want []int64 }{
		{[]int64{1}, []int64{1, 2, 3}}, {[]int64{3, 2}, []int64{2, 3}}, {[]int64{4}, []int64{4}}, {[]int64{5}, []int64{5, 6}}, {[]int64{99}, []int64{4, 99}}, {nil, nil},
	} {
		if got, err := l.WithDescendants(t.Context(), api.Categories, c.ids); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, %v, want %v", c.ids, got, err, c.want)
		}
	}
	if len(f.calls) != 1 {
		t.Errorf("%d statements", len(f.calls))
	}
}
