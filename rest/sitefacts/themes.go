package sitefacts

import (
	"slices"

	"calbridge/rest/wptext"
)

// Theme is what is known of a theme by its name.
type Theme struct {
	Name string // its folder
	wptext.Theme
	ContentSize   string // of its theme.json
	ExcerptLength int
	// LinksExcerpts reports that excerpts end with a link, in the theme's own words.
	LinksExcerpts bool
	// WithSidebar are the sizes of images on a site with widgets in its first sidebar.
	WithSidebar []wptext.SizesFrom
	// Recorded reports that calbridge's responses were compared with those of a site with the
	// theme.
	Recorded bool
}

// usualMore is the tail of an excerpt where no theme changes it.
const usualMore = " [&hellip;]"

// Themes returns the table of the themes that are known.
func Themes() []Theme {
	classic := func(width int) wptext.Theme {
		t := wptext.ClassicTheme(true)
		t.ContentWidth = width
		return t
	}
	old := func(width int, style bool) wptext.Theme {
		t := wptext.ClassicTheme(false)
		t.ContentWidth, t.NoGalleryStyle = width, !style
		return t
	}
	block := func(gap string, padding bool) wptext.Theme {
		return wptext.Theme{HTML5Captions: true, HTML5Galleries: true, Block: true, ThemeJSON: true, BlockGap: true, RootPadding: padding, Gap: gap}
	}
	sixteen, seventeen, twentyOne, hello := classic(840), classic(700), classic(750), classic(800)
	sixteen.Sizes = []wptext.SizesFrom{
		{Width: 840, Sizes: "(max-width: 709px) 85vw, (max-width: 909px) 67vw, (max-width: 1362px) 62vw, 840px"},
		{Width: 600, Sizes: "(max-width: 709px) 85vw, (max-width: 909px) 67vw, (max-width: 984px) 61vw, (max-width: 1362px) 45vw, 600px"},
		{Width: 0, Sizes: "(max-width: {width}px) 85vw, {width}px"},
	}
	seventeen.Sizes = []wptext.SizesFrom{{Width: 740, Sizes: "(max-width: 706px) 89vw, (max-width: 767px) 82vw, 740px"}}
	seventeen.AttachmentSizes = "100vw"
	sidebar := []wptext.SizesFrom{{Width: 767, Sizes: "(max-width: 767px) 89vw, (max-width: 1000px) 54vw, (max-width: 1071px) 543px, 580px"}}
	twentyOne.ScaledAttachments = true
	hello.ThemeJSON, hello.BlockGap = true, true
	return []Theme{
		{Name: "twentyten", Theme: old(640, false), ExcerptLength: 40, LinksExcerpts: true},
		{Name: "twentyeleven", Theme: old(584, true), ExcerptLength: 40, LinksExcerpts: true},
		{Name: "twentytwelve", Theme: old(625, true), ExcerptLength: 55},
		{Name: "twentythirteen", Theme: classic(604), ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentyfourteen", Theme: classic(474), ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentyfifteen", Theme: classic(660), ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentysixteen", Theme: sixteen, ExcerptLength: 55, LinksExcerpts: true},
		{Name: "twentyseventeen", Theme: seventeen, WithSidebar: sidebar, ExcerptLength: 55, LinksExcerpts: true, Recorded: true},
		{Name: "twentynineteen", Theme: classic(640), ExcerptLength: 55},
		{Name: "twentytwenty", Theme: classic(580), ExcerptLength: 55},
		{Name: "twentytwentyone", Theme: twentyOne, ExcerptLength: 55, LinksExcerpts: true, Recorded: true},
		{Name: "twentytwentytwo", Theme: block("1.5rem", false), ContentSize: "650px", ExcerptLength: 55, Recorded: true},
		{Name: "twentytwentythree", Theme: block("1.5rem", true), ContentSize: "650px", ExcerptLength: 55},
		{Name: "twentytwentyfour", Theme: block("1.2rem", true), ContentSize: "620px", ExcerptLength: 55, Recorded: true},
		{Name: "twentytwentyfive", Theme: wptext.TwentyTwentyFive(), ContentSize: "645px", ExcerptLength: 55, Recorded: true},
		{Name: "astra", Theme: classic(0), ExcerptLength: 55, LinksExcerpts: true, Recorded: true},
		{Name: "hello-elementor", Theme: hello, ExcerptLength: 55, Recorded: true},
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
	list := []string{}
	if t.HTML5Captions {
		list = append(list, "caption")
	}
	if t.HTML5Galleries {
		list = append(list, "gallery")
	}
	return list
}

// excerptMore returns the tail of excerpts, nil where it is in the theme's own words.
func (t *Theme) excerptMore() any {
	if t.LinksExcerpts {
		return nil
	}
	return usualMore
}
