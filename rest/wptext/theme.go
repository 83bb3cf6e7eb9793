package wptext

import (
	"slices"
	"strconv"
	"strings"
)

// Theme is what a theme decides about rendered content. The database has none of it.
type Theme struct {
	// HTML5Captions and HTML5Galleries are support for captions and galleries in HTML5.
	HTML5Captions, HTML5Galleries bool
	// NoGalleryStyle: galleries have no style sheet. Those in HTML5 never have one.
	NoGalleryStyle bool
	// Block says that it is a block theme.
	Block bool
	// ThemeJSON is true for themes with a theme.json, which every block theme
	// has. It moves layout classes and the classes of aligned images.
	ThemeJSON bool
	// BlockGap is theme.json's support for gaps between blocks.
	BlockGap bool
	// RootPadding is theme.json's useRootPaddingAwareAlignments.
	RootPadding bool
	// Gap is the theme's general gap between blocks, as CSS, and Gaps the gaps
	// of the blocks for which it has another one.
	Gap  string
	Gaps map[string]string
	// ContentWidth is the theme's content width in pixels, 0 for none.
	ContentWidth int
	// Sizes replaces the attribute sizes of images in texts, by their widths.
	Sizes []SizesFrom
	// AttachmentSizes is the attribute sizes of the images of galleries; "" leaves them as
	// they are.
	AttachmentSizes string
	// ScaledAttachments: images of galleries have a style that scales them.
	ScaledAttachments bool
	// ExcerptMore is the tail of a generated excerpt, as HTML with {url} and {title}; "" is
	// WordPress's own.
	ExcerptMore string
	// EmptyTitle is shown for posts without a title.
	EmptyTitle string
}

// SizesFrom is the attribute sizes of images that are at least Width pixels wide. {width} is
// filled in.
type SizesFrom struct {
	Width int64
	Sizes string
}

// SizesOf returns the attribute sizes of an image in a text. The first of the theme's rules
// that fits counts.
func (t *Theme) SizesOf(width int64) string {
	sizes := "(max-width: {width}px) 100vw, {width}px"
	if i := slices.IndexFunc(t.Sizes, func(rule SizesFrom) bool { return width >= rule.Width }); i >= 0 {
		sizes = t.Sizes[i].Sizes
	}
	return strings.ReplaceAll(sizes, "{width}", strconv.FormatInt(width, 10))
}

// GalleryStyleBlock names the style sheet of galleries among the blocks of a profile.
const GalleryStyleBlock = "core/gallery#style"

// DefaultGap is the gap between blocks of a theme that sets none.
const DefaultGap = "24px"

// More returns the tail of a generated excerpt of the post with a title and an address, both
// as HTML. usual is the tail where no theme changes it.
func (t *Theme) More(title, address, usual string) string {
	if t.ExcerptMore == "" {
		return usual
	}
	return strings.NewReplacer("{title}", title, "{url}", address).Replace(t.ExcerptMore)
}

// TwentyTwentyFive describes the theme that comes with WordPress since 6.7.
func TwentyTwentyFive() Theme {
	return Theme{
		HTML5Captions: true, HTML5Galleries: true, Block: true, ThemeJSON: true, BlockGap: true, RootPadding: true,
		Gap: "1.2rem",
		Gaps: map[string]string{
			"core/buttons": "16px",
			"core/columns": "var(--wp--preset--spacing--50)",
			"core/quote":   "var(--wp--preset--spacing--30)",
		},
	}
}

// ClassicTheme describes a theme without theme.json. Most have HTML5 support today.
func ClassicTheme(html5 bool) Theme {
	return Theme{HTML5Captions: html5, HTML5Galleries: html5, Gap: DefaultGap}
}
