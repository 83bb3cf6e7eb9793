package wptext

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/shortcode"
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
	// https_migration_required is on.
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
	// PluginBlocks are the blocks of other plugins.
	PluginBlocks PluginBlocks
	// Shortcodes are the shortcodes of other plugins.
	Shortcodes shortcode.Foreign
	// GalleryStyle is the recorded HTML before each gallery in a theme without HTML5
	// galleries; {number} and {width} (percent) are filled in.
	GalleryStyle string
}

// PluginBlocks holds the blocks of other plugins.
type PluginBlocks struct {
	// Static are blocks that show the HTML saved in the text, as namespace/name or namespace/*.
	Static []string
	// Dynamic are registered blocks that may show something else. It is used only if it is complete.
	Dynamic []string
	// Complete reports that Dynamic has all such blocks. Otherwise each block that is not static
	// may be one.
	Complete bool
}

// Foreign reports whether a block belongs to another plugin and is not static.
func (b *PluginBlocks) Foreign(name string) bool {
	space, _, _ := strings.Cut(name, "/")
	return space != "core" && !slices.Contains(b.Static, name) && !slices.Contains(b.Static, space+"/*")
}

// Rendered reports whether a block belongs to another plugin and may show something else than the
// HTML saved in the text.
func (b *PluginBlocks) Rendered(name string) bool {
	return b.Foreign(name) && (!b.Complete || slices.Contains(b.Dynamic, name))
}

// Escape returns how the site's release of WordPress escapes text.
func (s *Site) Escape() escape.Rules { return escape.RulesOf(s.Traits) }

// Title returns the title of a post as it is shown.
func (s *Site) Title(stored string) string {
	return cmp.Or(typography.Title(stored, s.Locale), s.Theme.EmptyTitle)
}
