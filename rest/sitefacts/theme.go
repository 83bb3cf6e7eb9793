package sitefacts

import (
	"fmt"
	"slices"

	"calbridge/rest/wptext"
)

// Theme returns how the site's theme renders texts, from the table of themes, or else from the
// other facts.
func (d *Document) Theme() wptext.Theme {
	var t wptext.Theme
	html5 := d.Texts(HTML5)
	seen := d.themeSeen()
	named := themeOf(d.Text(Template))
	switch {
	case named != nil:
		t = named.Theme
		if d.Is(Sidebar) {
			t.Sizes = slices.Concat(named.WithSidebar, t.Sizes)
		}
	case d.Text(Template) == "":
		return wptext.TwentyTwentyFive()
	case d.Is(BlockTheme):
		t = wptext.Theme{HTML5Captions: true, HTML5Galleries: true, Block: true, ThemeJSON: true, BlockGap: !seen, RootPadding: !seen, Gap: wptext.DefaultGap}
	default:
		t = wptext.ClassicTheme(!seen)
	}
	if d.From(HTML5) == Companion {
		t.HTML5Captions, t.HTML5Galleries = t.Block, t.Block // core declares them for block themes
	}
	t.HTML5Captions = t.HTML5Captions || slices.Contains(html5, "caption")
	t.HTML5Galleries = t.HTML5Galleries || slices.Contains(html5, "gallery")
	t.ThemeJSON = t.ThemeJSON || d.Is(ThemeJSON)
	t.ContentWidth = value[int](d, ContentWidth)
	if d.From(BlockGap) != "" {
		t.BlockGap = d.Is(BlockGap)
	}
	if d.From(RootPadding) != "" {
		t.RootPadding = d.Is(RootPadding)
	}
	if gap := d.Text(Gap); gap != "" {
		t.Gap = gap
	}
	if gaps := value[map[string]string](d, Gaps); gaps != nil {
		t.Gaps = gaps
	}
	t.EmptyTitle = d.Text(EmptyTitle)
	if more := d.Text(ExcerptMore); more != usualMore {
		t.ExcerptMore = more
	}
	return t
}

// themeSeen reports whether the theme's files were read, or the companion plugin described it.
func (d *Document) themeSeen() bool {
	return slices.Contains([]Source{Companion, Files}, d.From(BlockTheme))
}

const recordAdvice = "Record the site with `calbridge record --profile`, and serve with that --profile; or install the companion plugin (docker/wordpress) and set --upstream."

// themeConcerns names unknown facts of the theme.
func themeConcerns(d *Document) []Concern {
	const name = "site.theme"
	template, stylesheet := d.Text(Template), d.Text(Stylesheet)
	seen, named := d.themeSeen(), themeOf(template)
	var all []Concern
	add := func(advice, format string, values ...any) {
		all = append(all, Concern{Name: name, Found: fmt.Sprintf(format, values...), Advice: advice})
	}
	switch {
	case template == "":
		add("Set --theme.", "the theme is not known")
		return all
	case named == nil && !seen:
		add(knowAdvice+" --theme and --content-width change how captions and galleries are rendered.", "%q is not known: captions, galleries, excerpts, sizes of pictures and classes of layouts may differ", template)
		return all
	case named != nil && !named.Recorded:
		add(compareAdvice, "%q is unrecorded: calbridge renders it by a description of it", template)
	case named != nil && stylesheet != template && stylesheet != "" && !seen:
		add(knowAdvice, "%q, a child of %q, may change texts by its functions.php and theme.json", stylesheet, template)
	}
	if d.From(ExcerptMore) == "" && named != nil {
		add(recordAdvice, "%q ends excerpts, which JSON-LD shows, with a link in words of its own", template)
	}
	if t := d.Theme(); !t.HTML5Galleries && !t.NoGalleryStyle && d.Text(GalleryStyle) == "" {
		add(recordAdvice, "%q has galleries with a style sheet of WordPress's: without it they are left out of texts", template)
	}
	return all
}

// excerptConcerns returns concerns about what plugins do to excerpts. The calendar's own filter
// makes them shorter in its API.
func excerptConcerns(d *Document) []Concern {
	const calendarLength = 30
	n := value[int](d, ExcerptLength)
	if d.From(ExcerptLength) != Companion || n == usualLength || n == calendarLength {
		return nil
	}
	return []Concern{{Name: "site.excerpts", Found: fmt.Sprintf("generated excerpts have %d words, which shows in JSON-LD", n), Advice: compareAdvice}}
}
