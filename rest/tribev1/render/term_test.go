package render

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/tribev1"
	"calbridge/rest/wpcap"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/terms"
)

// testRenderer renders for a site of our own, with pretty permalinks.
func testRenderer(options Options) *TermRenderer {
	facts := &wpstore.SiteFacts{SiteAddresses: wpstore.SiteAddresses{Home: "https://v.example"}, SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/%postname%/"}}
	site := wpsite.NewBuilder(&wpsite.Settings{RESTPrefix: "wp-json"}).Site(facts)
	place := site.Place(true)
	return &TermRenderer{Namespace: "fairs/v1", Place: &place, Viewer: &authz.Viewer{User: wpcap.Anonymous(), Site: site}, Buffers: &phpjson.Buffers{}, Options: options}
}

var (
	music = wpstore.Term{ID: 3, TaxonomyID: 30, Count: 5, Taxonomy: "tribe_events_cat", Name: "Music", Slug: "music", Language: "cs"}
	jazz  = wpstore.Term{ID: 4, TaxonomyID: 40, Group: 1, Parent: 3, Count: 2, Taxonomy: "tribe_events_cat", Name: "Jazz", Slug: "jazz", Description: "Loud", Language: "cs"}
	open  = wpstore.Term{ID: 9, TaxonomyID: 90, Taxonomy: "post_tag", Name: "Open air", Slug: "open"}
	stage = wpstore.Term{ID: 10, TaxonomyID: 100, Taxonomy: "post_tag", Name: "Stage", Slug: "stage", Parent: 9}
	trees = Trees{"tribe_events_cat": {3: music, 4: jazz}}
)

// plain returns JSON without the escapes of slashes.
func plain(json []byte) string { return strings.ReplaceAll(string(json), `\/`, `/`) }

// TestMembers compares the members and their order.
func TestMembers(t *testing.T) {
	urls := `"urls":{"self":"https://v.example/wp-json/fairs/v1/%s/%d","collection":"https://v.example/wp-json/fairs/v1/%s"%s}`
	up := `,"up":"https://v.example/wp-json/fairs/v1/categories/3"`
	for _, c := range []struct {
		name string
		tax  *api.TaxonomyKind
		term wpstore.Term
		// lacks has members that are left out.
		lacks []string
		want  string
	}{
		{"category", api.Categories, jazz, nil, `{"id":4,"count":2,"description":"Loud","name":"Jazz","slug":"jazz","taxonomy":"tribe_events_cat","parent":3,"meta":[],` +
			`"url":"https://v.example/events/category/music/jazz/",` + fmt.Sprintf(urls, "categories", 4, "categories", up) + `}`},
		{"without its parent", api.Categories, jazz, []string{"parent"}, `{"id":4,"count":2,"description":"Loud","name":"Jazz","slug":"jazz","taxonomy":"tribe_events_cat","meta":[],` +
			`"url":"https://v.example/events/category/music/jazz/",` + fmt.Sprintf(urls, "categories", 4, "categories", "") + `}`},
		{"tag", api.Tags, open, nil, `{"id":9,"count":0,"description":"","name":"Open air","slug":"open","taxonomy":"post_tag","meta":[],` +
			`"url":"https://v.example/tag/open/",` + fmt.Sprintf(urls, "tags", 9, "tags", "") + `}`},
		{"tag with a parent", api.Tags, stage, nil, `{"id":10,"count":0,"description":"","name":"Stage","slug":"stage","taxonomy":"post_tag","meta":[],` +
			`"url":"https://v.example/tag/stage/",` + fmt.Sprintf(urls, "tags", 10, "tags", "") + `}`},
		{"ids alone", api.Categories, jazz, []string{"count", "description", "link", "name", "slug", "taxonomy", "parent", "meta"}, `{"id":4,` + fmt.Sprintf(urls, "categories", 4, "categories", "") + `}`},
		{"context embed", api.Categories, jazz, []string{"count", "description", "parent", "meta"}, `{"id":4,"name":"Jazz","slug":"jazz","taxonomy":"tribe_events_cat",` +
			`"url":"https://v.example/events/category/music/jazz/",` + fmt.Sprintf(urls, "categories", 4, "categories", "") + `}`},
		{"shared with tags", api.Categories, wpstore.Term{ID: 5, Count: 2, Taxonomy: "post_tag", Name: "Open", Slug: "open"}, nil, `{"id":5,"count":2,"description":"","name":"Open","slug":"open","taxonomy":"post_tag","parent":0,"meta":[],` +
			`"url":"https://v.example/tag/open/",` + fmt.Sprintf(urls, "categories", 5, "categories", "") + `}`},
		{"shared with categories", api.Tags, jazz, nil, `{"id":4,"count":2,"description":"Loud","name":"Jazz","slug":"jazz","taxonomy":"tribe_events_cat","meta":[],` +
			`"url":"https://v.example/events/category/music/jazz/",` + fmt.Sprintf(urls, "tags", 4, "tags", "") + `}`},
		{"unknown context", api.Tags, open, []string{"id", "count", "description", "link", "name", "slug", "taxonomy", "parent", "meta"}, `{` + fmt.Sprintf(urls, "tags", 9, "tags", "") + `}`},
	} {
		options := Options{}
		for _, name := range c.lacks {
			if options.Lacks == nil {
				options.Lacks = map[string]bool{}
			}
			options.Lacks[name] = true
		}
		r := testRenderer(options)
		w := r.NewWriter()
		w.BeginObject()
		r.Members(w, c.tax, c.term, trees, "")
		w.EndObject()
		if got := plain(r.Result(w).Body); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	w := testRenderer(Options{}).NewWriter()
	InEvent(w, tribev1.Links{Links: testRenderer(Options{}).Place.Links, Namespace: "fairs/v1"}, api.Categories, jazz)
	want := `{"name":"Jazz","slug":"jazz","term_group":1,"term_taxonomy_id":40,"taxonomy":"tribe_events_cat","description":"Loud","parent":3,"count":2,"filter":"raw","id":4,` +
		fmt.Sprintf(urls, "categories", 4, "categories", up) + `}`
	if got := plain(w.Bytes()); got != want {
		t.Errorf("in an event:\n got %s\nwant %s", got, want)
	}
	w = testRenderer(Options{}).NewWriter()
	InEvent(w, tribev1.Links{Links: testRenderer(Options{}).Place.Links, Namespace: "fairs/v1"}, api.Tags, stage)
	if got := plain(w.Bytes()); !strings.Contains(got, `"up":"https://v.example/wp-json/fairs/v1/tags/9"`) {
		t.Errorf("a tag with a parent in an event: %s", got)
	}
}

// TestLinks: the links of WordPress's own term controller, as recordings/mono has them.
func TestLinks(t *testing.T) {
	r := testRenderer(Options{EmbedUp: true})
	const wp = "https://v.example/wp-json/wp/v2/"
	links := func(id int64, up string) string {
		return fmt.Sprintf(`{"self":[{"href":"%[1]stribe_events_cat/%[2]d","targetHints":{"allow":["GET"]}}],"collection":[{"href":"%[1]stribe_events_cat"}],`+
			`"about":[{"href":"%[1]staxonomies/tribe_events_cat"}],%[3]s"wp:post_type":[{"href":"%[1]stribe_events?tribe_events_cat=%[2]d"},{"href":"%[1]stec_calendar_embed?tribe_events_cat=%[2]d"}],`+
			`"curies":[{"name":"wp","href":"https://api.w.org/{rel}","templated":true}]}`, wp, id, up)
	}
	json := func(v php.Value) string { return plain(phpjson.Append(nil, v)) }
	if got, want := json(r.links(api.Categories, jazz)), links(4, `"up":[{"embeddable":true,"href":"`+wp+`tribe_events_cat/3"}],`); got != want {
		t.Errorf("links:\n got %s\nwant %s", got, want)
	}
	want := `{"up":[{"id":3,"link":"https://v.example/events/category/music/","name":"Music","slug":"music","taxonomy":"tribe_events_cat","_links":` + links(3, "") + `}]}`
	if got := json(r.embedded(api.Categories, jazz, trees, nil)); got != want {
		t.Errorf("embedded:\n got %s\nwant %s", got, want)
	}
	if r.embedded(api.Categories, music, trees, nil) != nil || testRenderer(Options{}).embedded(api.Categories, jazz, trees, nil) != nil {
		t.Error("embeds what was not asked for")
	}
	r.Place.Foreign = true
	if self := r.links(api.Categories, jazz).At("self").(*php.Array).Values()[0].(*php.Array); self.At("targetHints") != nil || r.embedded(api.Categories, jazz, trees, nil) != nil {
		t.Error("WordPress does not recognise the links of another root")
	}
	r.Place.Foreign, r.Place.Site.Traits = false, trait.SetOf(trait.Versions{trait.WordPressCore: "6.6.2"})
	if self := json(r.links(api.Categories, jazz).At("self")); self != `[{"href":"`+wp+`tribe_events_cat/4"}]` {
		t.Errorf("before WordPress 6.7: %s", self)
	}
	r = testRenderer(Options{})
	roles := wpcap.ParseRoles(api.Object("admin", api.Object("name", "admin", "capabilities", api.Object("publish_tribe_events", true))))
	r.Viewer.User = wpcap.NewUser(1, "a", roles, api.Object("admin", true), false)
	if got := json(r.links(api.Categories, jazz).At("self")); got != `[{"href":"`+wp+`tribe_events_cat/4","targetHints":{"allow":["GET","POST","PUT","PATCH","DELETE"]}}]` {
		t.Errorf("an editor's: %s", got)
	}
}

func TestOptionsOf(t *testing.T) {
	const all = "id count description link name slug taxonomy parent meta"
	for _, c := range []struct {
		name                   string
		fields, embed, context php.Value
		writes                 bool
		want                   string
		up                     bool
	}{
		{name: "nothing", want: all},
		{name: "embed everything", embed: "", want: all, up: true},
		{name: "embed 1", embed: "1", want: all, up: true},
		{name: "embed true", embed: "true", want: all, up: true},
		{name: "embed a relation", embed: "author,up", want: all, up: true},
		{name: "embed another", embed: "author", want: all},
		{name: "embed a list", embed: php.List("x", "up"), want: all, up: true},
		{name: "embed an empty list", embed: php.List(), want: all},
		{name: "no field", fields: "", want: all},
		{name: "field 0", fields: "0", want: all},
		{name: "fields", fields: "name, parent", want: "id name parent"},
		{name: "fields as a list", fields: php.List("slug", "meta"), want: "id slug meta"},
		{name: "a field of ours", fields: "url", want: "id"},
		{name: "a field within a field", fields: "meta.x,name.x", want: "id"},
		{name: "a field in capitals", fields: "NAME", want: "id"},
		{name: "context embed", context: "embed", want: "id link name slug taxonomy"},
		{name: "context view", context: "view", want: all},
		{name: "context edit", context: "edit", want: all},
		{name: "empty context", context: "", want: all},
		{name: "another context", context: "help", want: ""},
		{name: "a list as context", context: php.List("view"), want: ""},
		{name: "context and fields", context: "embed", fields: "count,name", want: "id name"},
		{name: "context of a write", context: "embed", fields: "count,name", writes: true, want: "id count name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &api.Params{Query: &php.Array{}}
			for name, v := range map[string]php.Value{"_fields": c.fields, "_embed": c.embed, "context": c.context} {
				if v != nil {
					p.Query.SetString(name, v)
				}
			}
			got := OptionsOf(p, !c.writes)
			var shown []string
			for _, m := range termMembers {
				if !got.Lacks[m.name] {
					shown = append(shown, m.name)
				}
			}
			if text := strings.Join(shown, " "); text != c.want || got.EmbedUp != c.up {
				t.Errorf("shows %q, embeds %v, want %q, %v", text, got.EmbedUp, c.want, c.up)
			}
		})
	}
}

func TestAncestors(t *testing.T) {
	made := Trees{"tribe_events_cat": {
		1: {ID: 1, Parent: 2, Slug: "a"}, 2: {ID: 2, Parent: 1, Slug: "b"}, 6: {ID: 6, Parent: 6, Slug: "self"}, 7: {ID: 7, Parent: 77, Slug: "orphan"},
	}, "category": {3: {ID: 3, Parent: 5, Slug: "news"}, 5: {ID: 5, Slug: "paper"}}}
	for _, c := range []struct {
		name  string
		term  wpstore.Term
		trees Trees
		want  string
	}{
		{"one", jazz, trees, `["music"]`},
		{"of another taxonomy", wpstore.Term{ID: 4, Parent: 3, Taxonomy: "category"}, Trees{"tribe_events_cat": trees["tribe_events_cat"], "category": made["category"]}, `["paper" "news"]`},
		{"above a term that a taxonomy only shares", wpstore.Term{ID: 4, Parent: 3, Taxonomy: "tribe_events_cat"}, made, `[""]`},
		{"loop", wpstore.Term{ID: 1, Parent: 2, Taxonomy: "tribe_events_cat"}, made, `["a" "b"]`},
		{"absent", wpstore.Term{ID: 8, Parent: 77, Taxonomy: "tribe_events_cat"}, made, `[""]`},
		{"itself", wpstore.Term{ID: 6, Parent: 6, Taxonomy: "tribe_events_cat"}, made, `["self"]`},
		{"absent above one", wpstore.Term{ID: 9, Parent: 7, Taxonomy: "tribe_events_cat"}, made, `["" "orphan"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprintf("%q", ancestors(c.term, c.trees)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	r := testRenderer(Options{})
	if none, err := r.Trees(t.Context(), []wpstore.Term{open}); len(none) != 0 || err != nil {
		t.Error("a taxonomy is read in vain")
	}
	codes, err := r.Languages(t.Context(), api.Tags, []wpstore.Term{open}, wpstore.In(&i18n.Languages{Plugin: i18n.WPML, Default: "en", All: []i18n.Language{{Code: "en"}}}, "en"), "en")
	if err != nil || len(codes) != 1 {
		t.Error(codes, err)
	}
}

// TestTerm: the whole response with a term, on a site without languages.
func TestTerm(t *testing.T) {
	r := testRenderer(Options{})
	r.Store = &terms.Store{} // no query is needed
	for links, want := range map[bool]string{false: `v1/tags"}}`, true: `"templated":true}]}}`} {
		res, err := r.Term(t.Context(), api.Tags, open, links)
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(res.Body); !strings.HasPrefix(got, `{"id":9,`) || !strings.HasSuffix(got, want) {
			t.Errorf("links %v: %s", links, got)
		}
	}
}
