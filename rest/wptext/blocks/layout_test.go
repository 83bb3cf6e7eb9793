package blocks

import (
	"crypto/md5"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/sitetest"
	"calbridge/rest/wptext/texttest"
)

// hash8 returns the eight digits that WordPress appends to the class of a layout.
func hash8(json string) string {
	sum := md5.Sum([]byte(json))
	return hex.EncodeToString(sum[:])[:8]
}

func render(site *wptext.Site) func(string) string {
	return func(s string) string { return Render(s, site, sitetest.Resources(), &wptext.RequestState{}) }
}

// TestLayoutDefaults: the blocks with layout support, as probed on WordPress 7.0 with
// Twenty Twenty-Five and on 6.9: layout, gap of the theme, gap without a theme.
func TestLayoutDefaults(t *testing.T) {
	const flow, flex, nowrap = "[]", `{"type":"flex"}`, `{"type":"flex","flexWrap":"nowrap"}`
	site, old := sitetest.Site("https://town.example"), sitetest.Site("https://town.example")
	old.Traits = sitetest.Traits("6.9")
	for _, row := range []struct{ names, layout, gap, plainGap string }{
		{"accordion accordion-item accordion-panel column cover details group post-content query terms-query", flow, "1.2rem", "0.5em"},
		{"post-template term-template", flow, "1.2rem", "1.25em"},
		{"quote", flow, "var(--wp--preset--spacing--30)", "0.5em"},
		{"buttons", flex, "16px", "0.5em"},
		{"comments-pagination navigation query-pagination social-links gallery", flex, "1.2rem", "0.5em"},
		{"columns", nowrap, "var(--wp--preset--spacing--50)", "2em"},
	} {
		for name := range strings.FieldsSeq(row.names) {
			const spacing = `{"blockGap":"3px"}`
			kind, layout, skip, attrs := "flow", row.layout, "false", `{"style":{"spacing":`+spacing+`}}`
			if layout != flow {
				kind = "flex"
			}
			own, first := "", "wp-block"
			if name == "gallery" { // sets its gap itself; another rule makes it a container
				layout, skip = `{"type":"flex","justifyContent":"left"}`, "true"
				attrs = `{"layout":` + layout + `,"style":{"spacing":` + spacing + `}}`
				own, first = " is-content-justification-left", "wp-block wp-block-gallery-1"
			}
			in := "<!-- wp:" + name + " " + attrs + ` --><div class="wp-block">x</div><!-- /wp:` + name + " -->"
			want := func(gap string) string {
				return `<div class="` + first + own + " is-layout-" + kind + " wp-container-core-" + name + "-is-layout-" +
					hash8("["+layout+`,true,"3px",`+skip+`,"`+gap+`",`+spacing+"]") + " wp-block-" + name + "-is-layout-" + kind + `">x</div>`
			}
			for html, want := range map[string]string{render(site)(in): want(row.gap), render(old)(in): want(row.plainGap)} {
				if got := forScripts.ReplaceAllString(html, ""); got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
			// Without a rule of its own the block is no container; only columns always are.
			bare := render(site)("<!-- wp:" + name + ` --><div class="wp-block">x</div><!-- /wp:` + name + " -->")
			if strings.Contains(bare, "wp-container") != (name == "columns") || !strings.Contains(bare, "is-layout-"+kind) {
				t.Errorf("%s by default: %s", name, bare)
			}
		}
	}
	for name := range strings.FieldsSeq("paragraph list separator html navigation-link term-name") {
		if got := render(site)("<!-- wp:" + name + ` {"layout":{"type":"flex"}} --><div class="a">x</div><!-- /wp:` + name + " -->"); got != `<div class="a">x</div>` {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// forScripts are the attributes that only scripts read.
var forScripts = regexp.MustCompile(` data-wp-[^= ]*="[^"]*"`)

// TestLayoutRules: which layouts make a block a container of its own.
func TestLayoutRules(t *testing.T) {
	site := sitetest.Site("https://town.example")
	for layout, want := range map[string]struct {
		classes   string
		container bool
	}{
		`{}`: {"is-layout-flow", false},
		`{"type":"default","justifyContent":"left"}`:          {"is-content-justification-left is-layout-flow", false},
		`{"type":"constrained"}`:                              {"has-global-padding is-layout-constrained", false},
		`{"inherit":true}`:                                    {"has-global-padding is-layout-constrained", false},
		`{"type":"constrained","contentSize":"3px"}`:          {"has-global-padding is-layout-constrained", true},
		`{"type":"constrained","wideSize":"3px"}`:             {"has-global-padding is-layout-constrained", true},
		`{"type":"constrained","justifyContent":"right"}`:     {"has-global-padding is-content-justification-right is-layout-constrained", true},
		`{"type":"constrained","justifyContent":"center"}`:    {"has-global-padding is-content-justification-center is-layout-constrained", false},
		`{"type":"flex"}`:                                     {"is-layout-flex", false},
		`{"type":"flex","flexWrap":"nowrap"}`:                 {"is-nowrap is-layout-flex", true},
		`{"type":"flex","flexWrap":"wrap"}`:                   {"is-layout-flex", false},
		`{"type":"flex","orientation":"vertical"}`:            {"is-vertical is-layout-flex", true},
		`{"type":"flex","orientation":"horizontal"}`:          {"is-horizontal is-layout-flex", false},
		`{"type":"flex","justifyContent":"left"}`:             {"is-content-justification-left is-layout-flex", true},
		`{"type":"flex","justifyContent":"right"}`:            {"is-content-justification-right is-layout-flex", true},
		`{"type":"flex","justifyContent":"center"}`:           {"is-content-justification-center is-layout-flex", true},
		`{"type":"flex","justifyContent":"space-between"}`:    {"is-content-justification-space-between is-layout-flex", true},
		`{"type":"flex","justifyContent":"stretch"}`:          {"is-content-justification-stretch is-layout-flex", false},
		`{"type":"flex","verticalAlignment":"top"}`:           {"is-layout-flex", true},
		`{"type":"flex","verticalAlignment":"center"}`:        {"is-layout-flex", true},
		`{"type":"flex","verticalAlignment":"bottom"}`:        {"is-layout-flex", true},
		`{"type":"flex","verticalAlignment":"stretch"}`:       {"is-layout-flex", true},
		`{"type":"flex","verticalAlignment":"space-between"}`: {"is-layout-flex", false},
		`{"type":"grid","minimumColumnWidth":"3px"}`:          {"is-layout-grid", true},
		`{"type":"unknown"}`:                                  {"wp-block-group-", false},
		`{"type":"flex","orientation":"Very Tall"}`:           {"is-very-tall is-layout-flex", true},
	} {
		html := render(site)(`<!-- wp:group {"layout":` + layout + `} --><div class="g">x</div><!-- /wp:group -->`)
		_, classes, _ := strings.Cut(html, `class="g`)
		classes, _, _ = strings.Cut(classes, `"`)
		var shown []string
		container := false
		for class := range strings.FieldsSeq(classes) {
			switch {
			case strings.HasPrefix(class, "wp-container-core-group-is-layout-"):
				container = true
			case !strings.HasPrefix(class, "wp-block-group-is-layout-"):
				shown = append(shown, class)
			}
		}
		if got := strings.Join(shown, " "); got != want.classes || container != want.container {
			t.Errorf("%s: %q, container %v", layout, got, container)
		}
	}
	// Padding and gaps are rules too; an unsafe gap isn't.
	for attrs, container := range map[string]bool{
		`{"layout":{"type":"constrained"},"style":{"spacing":{"padding":{"left":"1px"}}}}`:  true,
		`{"layout":{"type":"constrained"},"style":{"spacing":{"padding":{"right":"1px"}}}}`: true,
		`{"layout":{"type":"constrained"},"style":{"spacing":{"padding":{"top":"1px"}}}}`:   false,
		`{"style":{"spacing":{"blockGap":"0"}}}`:                                            true,
		`{"style":{"spacing":{"blockGap":""}}}`:                                             false,
		`{"style":{"spacing":{"blockGap":{"top":"1px"}}}}`:                                  true,
		`{"style":{"spacing":{"blockGap":"expression(1)"}}}`:                                false,
		`{"style":{"spacing":{"blockGap":"1px/*"}}}`:                                        false,
	} {
		if html := render(site)("<!-- wp:group " + attrs + ` --><div class="g">x</div><!-- /wp:group -->`); strings.Contains(html, "wp-container") != container {
			t.Errorf("%s: %s", attrs, html)
		}
	}
}

// TestLayoutWrapper: the classes go to the tag directly around the inner blocks.
func TestLayoutWrapper(t *testing.T) {
	const inner, classes = "<!-- wp:html -->x<!-- /wp:html -->", "is-layout-flow wp-block-cover-is-layout-flow"
	cover := func(s string) string {
		return render(sitetest.Site("https://town.example"))("<!-- wp:cover -->" + s + "<!-- /wp:cover -->")
	}
	texttest.CheckPairs(t, cover,
		"<div>"+inner+"</div>", `<div class="`+classes+`">x</div>`,
		`<div class="a"><p>1</p><div class="b">`+inner+"</div></div>", `<div class="a"><p>1</p><div class="b `+classes+`">x</div></div>`,
		`<div class="a"><style class="b"><i class="c"></style>`+inner+"</div>", `<div class="a"><style class="b `+classes+`"><i class="c"></style>x</div>`,
		"<div>x</div>", `<div class="`+classes+`">x</div>`, inner+"<p>", `x<p class="`+classes+`">`, "x", "x", inner, "x")
}

// TestClassicTheme: without theme.json groups get an inner box, aligned images an outer
// one, and gaps no container.
func TestClassicTheme(t *testing.T) {
	site := sitetest.Site("https://town.example")
	site.Theme = wptext.ClassicTheme(true)
	const flow, constrained = "is-layout-flow wp-block-group-is-layout-flow", "is-layout-constrained wp-block-group-is-layout-constrained"
	texttest.CheckPairs(t, render(site),
		`<!-- wp:group --><div class="wp-block-group">x</div> <!-- /wp:group -->`, `<div class="wp-block-group"><div class="wp-block-group__inner-container `+flow+`">x</div></div> `,
		`<!-- wp:group {"layout":{"type":"constrained"},"style":{"spacing":{"blockGap":"1px"}}} --><section class="wp-block-group">x</section><!-- /wp:group -->`,
		`<section class="wp-block-group"><div class="wp-block-group__inner-container `+constrained+`">x</div></section>`,
		`<!-- wp:group {"layout":{"type":"flex"}} --><div class="wp-block-group">x</div><!-- /wp:group -->`, `<div class="wp-block-group is-layout-flex wp-block-group-is-layout-flex">x</div>`,
		`<!-- wp:group --><div class="wp-block-group"><div class="wp-block-group__inner-container">x</div></div><!-- /wp:group -->`,
		`<div class="wp-block-group `+flow+`"><div class="wp-block-group__inner-container">x</div></div>`,
		`<!-- wp:group --><div class="g">x</div><!-- /wp:group -->`, `<div class="g `+flow+`">x</div>`,
		`<!-- wp:group --><div class="wp-block-group">x<!-- /wp:group -->`, `<div class="wp-block-group `+flow+`">x`,
		`<!-- wp:image {"className":"own"} --><figure class="wp-block-image alignleft own"><img src="a"></figure><!-- /wp:image -->`,
		`<div class="wp-block-image own"><figure class="alignleft"><img src="a"></figure></div>`,
		`<!-- wp:image --><figure class="wp-block-image aligncenter"><img src="a"></figure><!-- /wp:image -->`, `<div class="wp-block-image"><figure class="aligncenter"><img src="a"></figure></div>`,
		`<!-- wp:image --><figure class="wp-block-image alignright"><img src="a"></figure><!-- /wp:image -->`, `<div class="wp-block-image"><figure class="alignright"><img src="a"></figure></div>`,
		`<!-- wp:image --><figure class="wp-block-image alignwide"><img src="a"></figure><!-- /wp:image -->`, `<figure class="wp-block-image alignwide"><img src="a"></figure>`,
		`<!-- wp:image --><figure class="alignleft"><img src="a"></figure><!-- /wp:image -->`, `<figure class="alignleft"><img src="a"></figure>`,
		`<!-- wp:image --><img src="a"><!-- /wp:image -->`, `<img src="a">`, `<!-- wp:image --><figure><img src="a"></figure><!-- /wp:image -->`, `<figure><img src="a"></figure>`)
}

// TestCountedLayouts: before WordPress 6.8 the classes of layouts have running numbers, for
// each kind of block its own. Inner blocks come first.
func TestCountedLayouts(t *testing.T) {
	columns := func(inner string) string {
		return `<!-- wp:columns --><div class="wp-block-columns">` + inner + `</div><!-- /wp:columns -->`
	}
	stretched := `<!-- wp:group {"style":{"layout":{"selfStretch":"fill"}}} --><div class="wp-block-group">x</div><!-- /wp:group -->`
	gallery := `<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->`
	buttons := `<!-- wp:buttons {"layout":{"type":"flex","justifyContent":"left"}} --><div class="wp-block-buttons"></div><!-- /wp:buttons -->`
	plain := `<!-- wp:buttons --><div class="wp-block-buttons"></div><!-- /wp:buttons -->` // takes a number, too
	for version, want := range map[string][]string{
		"6.7.1": {"columns-is-layout-2", "columns-is-layout-1", "buttons-is-layout-2", "content-1", "gallery-1", "content-2", "columns-is-layout-3"},
		"6.5":   {"columns-is-layout-2", "columns-is-layout-1", "buttons-is-layout-2", "content-1", "gallery-2", "content-3", "columns-is-layout-3"},
	} {
		site, req := sitetest.Site("https://town.example"), &wptext.RequestState{}
		site.Traits = sitetest.Traits(version)
		html := Render(columns(columns(""))+plain+buttons+stretched, site, sitetest.Resources(), req)
		html += Render(gallery+stretched+columns(""), site, sitetest.Resources(), req)
		numbered := regexp.MustCompile(`(columns-is-layout|buttons-is-layout|container-content|block-gallery)-\d+`).FindAllString(html, -1)
		// The outer columns stand before the inner ones, which are rendered first.
		for i, name := range numbered {
			numbered[i] = strings.NewReplacer("container-", "", "block-", "").Replace(name)
		}
		if !slices.Equal(numbered, want) {
			t.Errorf("%s: %q, want %q\n%s", version, numbered, want, html)
		}
		if len(req.Unknown()) > 0 {
			t.Errorf("%s: not rendered: %v", version, req.Unknown())
		}
	}
	// Then they have hashes.
	if html := render(sitetest.Site("https://town.example"))(stretched); !strings.Contains(html, "wp-container-content-"+hash8(`{"layout":{"selfStretch":"fill"},"parentLayout":[]}`)) {
		t.Errorf("no hash in %s", html)
	}
}
