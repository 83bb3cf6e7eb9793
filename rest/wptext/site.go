package wptext

import (
	"calbridge/rest/trait"
	"calbridge/rest/wptext/typography"
)

// Site holds the settings of a WordPress site that rendering depends on. It is made once
// for each scheme of the request and read-only afterwards.
type Site struct {
	// Home and SiteURL are the site's addresses without trailing slash; over
	// https WordPress shows both with the scheme https.
	Home, SiteURL string
	// UploadsURL is where attachments are served from; see [Uploads].
	UploadsURL string
	// HTTPS says that the request came over https.
	HTTPS bool

	// Locale is that of the site (option WPLANG), never that of the reader.
	Locale *typography.Locale
	// UseSmilies is the option use_smilies.
	UseSmilies bool
	// FixInsecureHome: http:// links to the own site become https://. It is set where
	// home and siteurl are https with the same host and the option
	// https_migration_required is on (spec/rendering.md 5.5).
	FixInsecureHome bool
	// LateParagraphs: a plugin (WPML, Polylang) makes WordPress render blocks before
	// the first text of each answer, which moves the step that makes paragraphs behind
	// the one that frees shortcodes from them.
	LateParagraphs bool
	// PermalinkStructure is the option of that name; "" means plain links.
	PermalinkStructure string
	// Traits are those of the site's versions.
	Traits trait.Set

	// ImageSizes are the largest width and height of the named image sizes where
	// they differ from WordPress's defaults, and of further sizes; 0 is no limit.
	ImageSizes map[string][2]int64

	// Theme holds what the active theme decides.
	Theme Theme

	// TECBlocks: the calendar's own blocks are registered, because the theme is a
	// block theme or the plugin option toggle_blocks_editor is on.
	TECBlocks bool
	// ProfileBlocks is the HTML of blocks by block name, recorded from the site being
	// replaced, such as the calendar's own. "core/social-link/NAME" is the icon of a
	// social service and "tribe/event-organizer#box" the box around an organizer with
	// an empty <h3></h3> for its name.
	ProfileBlocks map[string]string
	// StaticBlocks are the blocks of other plugins that show the HTML saved in the
	// text, as namespace/name or namespace/*.
	StaticBlocks []string
	// Shortcodes are names of other plugins' shortcodes that can't be recognised by
	// their form.
	Shortcodes []string
	// GalleryStyle is the recorded HTML before each gallery in a theme without HTML5
	// galleries; {number}, {width} (percent) and {float} are filled in.
	GalleryStyle string
}

// Theme is what a theme decides about rendered content. The database has none of it.
type Theme struct {
	// HTML5 is support for HTML5 captions and galleries.
	HTML5 bool
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
}

// TwentyTwentyFive describes the theme that comes with WordPress since 6.7.
func TwentyTwentyFive() Theme {
	return Theme{
		HTML5: true, ThemeJSON: true, BlockGap: true, RootPadding: true,
		Gap: "1.2rem",
		Gaps: map[string]string{
			"core/buttons": "16px",
			"core/columns": "var(--wp--preset--spacing--50)",
			"core/quote":   "var(--wp--preset--spacing--30)",
		},
	}
}

// ClassicTheme describes a theme without theme.json. Most have HTML5 support today.
func ClassicTheme(html5 bool) Theme { return Theme{HTML5: html5, Gap: "24px"} }
