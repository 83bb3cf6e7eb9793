package sitefacts

import "slices"

// Theme is what is known of a theme by its name.
type Theme struct {
	Name string // its folder
	// HTML5: captions and galleries are HTML5.
	HTML5         bool
	Block, JSON   bool
	ContentWidth  int // pixels, 0 for none
	ContentSize   string
	ExcerptLength int
	LinksExcerpts bool   // excerpts end with a link, in the theme's own words
	Also          string // what else differs
	Recorded      bool
	Reproduced    bool // calbridge renders it exactly
}

// usualMore is the tail of an excerpt where no theme changes it.
const usualMore = " [&hellip;]"

// layoutNumbers differ where they are hashes of what the theme says.
const layoutNumbers = "the numbers in classes of layouts"

// Themes is the table of the themes that are known.
func Themes() []Theme {
	return []Theme{
		{Name: "twentyten", ContentWidth: 640, ExcerptLength: 40, LinksExcerpts: true},
		{Name: "twentyeleven", ContentWidth: 584, ExcerptLength: 40, LinksExcerpts: true},
		{Name: "twentytwelve", ContentWidth: 625, ExcerptLength: 55},
		{Name: "twentythirteen", HTML5: true, ContentWidth: 604, ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentyfourteen", HTML5: true, ContentWidth: 474, ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentyfifteen", HTML5: true, ContentWidth: 660, ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentysixteen", HTML5: true, ContentWidth: 840, ExcerptLength: 55, LinksExcerpts: true, Also: "sizes of pictures"},
		{Name: "twentyseventeen", HTML5: true, ContentWidth: 700, ExcerptLength: 55, LinksExcerpts: true, Also: "sizes of pictures", Recorded: true},
		{Name: "twentynineteen", HTML5: true, ContentWidth: 640, ExcerptLength: 55},
		{Name: "twentytwenty", HTML5: true, ContentWidth: 580, ExcerptLength: 55},
		{Name: "twentytwentyone", HTML5: true, ContentWidth: 750, ExcerptLength: 55, LinksExcerpts: true, Also: "titles of posts without one", Recorded: true},
		{Name: "twentytwentytwo", HTML5: true, Block: true, JSON: true, ContentSize: "650px", ExcerptLength: 55, Also: layoutNumbers, Recorded: true},
		{Name: "twentytwentythree", HTML5: true, Block: true, JSON: true, ContentSize: "650px", ExcerptLength: 55, Also: layoutNumbers},
		{Name: "twentytwentyfour", HTML5: true, Block: true, JSON: true, ContentSize: "620px", ExcerptLength: 55, Also: layoutNumbers, Recorded: true},
		{Name: "twentytwentyfive", HTML5: true, Block: true, JSON: true, ContentSize: "645px", ExcerptLength: 55, Recorded: true, Reproduced: true},
		{Name: "astra", HTML5: true, ExcerptLength: 55, LinksExcerpts: true, Recorded: true},
		{Name: "hello-elementor", HTML5: true, JSON: true, ContentWidth: 800, ExcerptLength: 55, Also: layoutNumbers, Recorded: true},
	}
}

// themeOf returns what is known of a theme, nil for one that is not in the table.
func themeOf(name string) *Theme {
	all := Themes()
	i := slices.IndexFunc(all, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

func (t *Theme) html5() any {
	if t.HTML5 {
		return []string{"caption", "gallery"}
	}
	return []string{}
}

// excerptMore returns the tail of excerpts, nil where it is in the theme's own words.
func (t *Theme) excerptMore() any {
	if t.LinksExcerpts {
		return nil
	}
	return usualMore
}
