package sitefacts

import (
	"slices"
	"strings"
	"testing"

	"calbridge/rest/notice"
	"calbridge/rest/wptext"
	"calbridge/wpstore/wpfolder"
)

// themed returns the facts of a site with a theme.
func themed(template string, change func(*Inputs)) *Document {
	in := Inputs{Database: database()}
	in.Database.Template, in.Database.Stylesheet = template, template
	if change != nil {
		change(&in)
	}
	return New(in)
}

// TestTheme: what is known of a theme by its name, and what other sources add.
func TestTheme(t *testing.T) {
	yes, no := true, false
	folder := func(theme wpfolder.Theme) func(*Inputs) {
		theme.Name = "Own"
		return func(in *Inputs) { in.Folder = &wpfolder.Folder{Theme: theme} }
	}
	plugin := func(theme notice.Theme) func(*Inputs) {
		return func(in *Inputs) {
			in.Companion = &notice.SiteFacts{WordPress: "7.0", Theme: theme, Excerpt: notice.Excerpt{ExcerptMore: usualMore}}
		}
	}
	has := func(html5, block, json, gap, padding bool, css string, width int) func(wptext.Theme) bool {
		return func(t wptext.Theme) bool {
			return t.HTML5Captions == html5 && t.HTML5Galleries == html5 && t.Block == block && t.ThemeJSON == json && t.BlockGap == gap &&
				t.RootPadding == padding && t.Gap == css && t.ContentWidth == width
		}
	}
	for name, c := range map[string]struct {
		template string
		change   func(*Inputs)
		want     func(wptext.Theme) bool
	}{
		"block":              {"twentytwentytwo", nil, has(true, true, true, true, false, "1.5rem", 0)},
		"block with padding": {"twentytwentyfour", nil, has(true, true, true, true, true, "1.2rem", 0)},
		"classic":            {"twentyfifteen", nil, has(true, false, false, false, false, "24px", 660)},
		"classic with JSON":  {"hello-elementor", nil, has(true, false, true, true, false, "24px", 800)},
		"old":                {"twentytwelve", nil, has(false, false, false, false, false, "24px", 625)},
		"no theme":           {"", nil, has(true, true, true, true, true, "1.2rem", 0)},
		"unknown":            {"own", nil, has(true, false, false, false, false, "24px", 0)},
		"unknown, empty":     {"own", folder(wpfolder.Theme{}), has(false, false, false, false, false, "24px", 0)},
		"unknown block theme": {"own", folder(wpfolder.Theme{Block: true, JSON: true, Layout: wpfolder.Layout{BlockGap: &yes, Gap: "3px"}}),
			has(true, true, true, true, false, "3px", 0)},
		"its files": {"own", folder(wpfolder.Theme{HTML5: []string{"caption", "gallery"}, ContentWidth: 500}), has(true, false, false, false, false, "24px", 500)},
		"other files than known": {"twentytwentyfour", folder(wpfolder.Theme{Block: true, JSON: true, Layout: wpfolder.Layout{RootPadding: &no, Gap: "4px"}}),
			has(true, true, true, true, false, "4px", 0)},
		"stripped by PHP": {"twentyfifteen", plugin(notice.Theme{}), has(false, false, false, false, false, "24px", 660)},
		"by PHP": {"own", plugin(notice.Theme{Block: true, JSON: true, Rendering: &notice.Rendering{BlockGap: true, RootPadding: true, Gap: "5px"}}),
			has(true, true, true, true, true, "5px", 0)},
		"gaps": {"twentytwentyfive", nil, func(t wptext.Theme) bool { return t.Gaps["core/buttons"] == "16px" }},
		"gaps of files": {"twentytwentyfive", folder(wpfolder.Theme{Block: true, JSON: true, Layout: wpfolder.Layout{Gaps: map[string]string{"core/quote": "1px"}}}),
			func(t wptext.Theme) bool { return len(t.Gaps) == 1 && t.Gaps["core/quote"] == "1px" }},
		"title": {"own", plugin(notice.Theme{Rendering: &notice.Rendering{EmptyTitle: "none"}}), func(t wptext.Theme) bool { return t.EmptyTitle == "none" }},
		"words": {"astra", func(in *Inputs) { in.Recorded.ExcerptMore = "… {url}" }, func(t wptext.Theme) bool { return t.ExcerptMore == "… {url}" }},
		"usual": {"twentytwentyfive", nil, func(t wptext.Theme) bool { return t.ExcerptMore == "" }},
		"sidebar": {"twentyseventeen", func(in *Inputs) {
			in.Database.Raw = map[string]string{"sidebars_widgets": `a:1:{s:9:"sidebar-1";a:1:{i:0;s:7:"block-2";}}`}
		}, func(t wptext.Theme) bool {
			return strings.HasSuffix(t.SizesOf(767), "580px") && strings.HasSuffix(t.SizesOf(766), "740px")
		}},
		"no sidebar": {"twentyseventeen", func(in *Inputs) {
			in.Database.Raw = map[string]string{"sidebars_widgets": `a:1:{s:9:"sidebar-1";a:0:{}}`}
		},
			func(t wptext.Theme) bool {
				return strings.HasSuffix(t.SizesOf(900), "82vw, 740px") && t.SizesOf(739) == "(max-width: 739px) 100vw, 739px"
			}},
		"sizes": {"twentysixteen", nil, func(t wptext.Theme) bool {
			return strings.HasSuffix(t.SizesOf(840), "62vw, 840px") && strings.HasSuffix(t.SizesOf(839), "45vw, 600px") && t.SizesOf(599) == "(max-width: 599px) 85vw, 599px"
		}},
	} {
		if got := themed(c.template, c.change).Theme(); !c.want(got) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestThemeConcerns: a theme is named where something of it is not known.
func TestThemeConcerns(t *testing.T) {
	words := func(in *Inputs) { in.Recorded.ExcerptMore = "… {url}" }
	child := func(in *Inputs) { in.Database.Stylesheet = "child" }
	seen := func(in *Inputs) {
		child(in)
		in.Folder = &wpfolder.Folder{Theme: wpfolder.Theme{Name: "x", Block: true}}
	}
	old := func(in *Inputs) { in.Folder = &wpfolder.Folder{Theme: wpfolder.Theme{Name: "x"}} }
	styled := func(in *Inputs) { old(in); in.Recorded.GalleryStyle = "<style></style>" }
	for _, c := range []struct {
		template string
		change   func(*Inputs)
		named    bool
	}{
		{"twentytwentyfive", nil, false}, {"twentytwentyfive", child, true}, {"twentytwentyfive", seen, false}, {"", nil, true},
		{"hello-elementor", nil, false}, {"astra", nil, true}, {"astra", words, false}, {"twentysixteen", words, true},
		{"own", nil, true}, {"own", old, true}, {"own", styled, false},
	} {
		if got := slices.Contains(names(themed(c.template, c.change)), "site.theme"); got != c.named {
			t.Errorf("%s: %t, want %t: %+v", c.template, got, c.named, themed(c.template, c.change).Concerns())
		}
	}
	hook := wpfolder.Hook{Name: "wp_calculate_image_sizes", File: "wp-content/themes/astra/functions.php", Line: 3}
	for template, concern := range map[string]bool{"astra": false, "own": true, "twentysixteen": true} {
		d := themed(template, func(in *Inputs) { words(in); in.Folder = &wpfolder.Folder{Hooks: []wpfolder.Hook{hook}} })
		if got := slices.Contains(names(d), "site.hooks"); got != concern {
			t.Errorf("a hook of astra on %s: %t", template, got)
		}
	}
}
