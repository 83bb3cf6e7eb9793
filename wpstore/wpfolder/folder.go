package wpfolder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"calbridge/wpstore/langpack"
)

// Folder holds what was read from the files of a WordPress installation. Empty fields are
// unknown.
type Folder struct {
	// WordPress is the version in wp-includes/version.php.
	WordPress string
	// Plugins holds the requested main files, by their names ("folder/file.php").
	Plugins map[string]Plugin
	// MustUse are the PHP files that WordPress loads from mu-plugins, by name.
	MustUse []string
	// DropIns are the ones present of object-cache.php, advanced-cache.php and db.php.
	DropIns []string
	// Theme is the requested theme, completed from its parent.
	Theme Theme
	// Packs are the language packs of the locale.
	Packs langpack.Packs
	// Further are the packs of the other locales in Query.Locales.
	Further map[string]langpack.Packs
	// Hooks are the calls that hook into one of the requested names.
	Hooks []Hook
	// Warnings are the files and folders that could not be read.
	Warnings []Warning
}

// Plugin is the header of a plugin's main file.
type Plugin struct{ Name, Version string }

// Theme holds what the files of a theme set literally.
type Theme struct {
	Name, Version, Stylesheet, Template string
	// JSON is set if there is a theme.json. ContentSize is the width of content in it, such
	// as "645px".
	JSON        bool
	ContentSize string
	// Layout holds what theme.json sets about gaps between blocks.
	Layout Layout
	// HTML5 are the features of add_theme_support('html5', …) in functions.php.
	HTML5 []string
	// ContentWidth is the number that functions.php assigns to $content_width.
	ContentWidth int
	// Block is set for a block theme.
	Block bool
}

// Layout holds the settings of a theme.json about gaps between blocks. Fields that it
// doesn't set are nil or empty.
type Layout struct {
	// BlockGap is set if the theme has gaps; RootPadding is useRootPaddingAwareAlignments.
	BlockGap, RootPadding *bool
	// Gap is the general gap as CSS. Gaps holds the gaps of blocks by name.
	Gap  string
	Gaps map[string]string
}

// Hook is a call of add_filter or add_action.
type Hook struct {
	Name string
	File string // relative to the WordPress folder, absolute if outside of it
	Line int
}

// Warning is a file or folder that could not be read.
type Warning struct{ File, Problem string }

// Query describes what to read.
type Query struct {
	// The constants WP_CONTENT_DIR, WP_PLUGIN_DIR, WPMU_PLUGIN_DIR and WP_LANG_DIR of
	// wp-config.php. Empty ones have WordPress's defaults.
	ContentDir, PluginDir, MUPluginDir, LangDir string
	// Stylesheet and Template are the options of these names, and Locale is WPLANG.
	Stylesheet, Template, Locale string
	// Locales are those of the languages of a language plugin.
	Locales []string
	// Plugins are the main files of the active plugins.
	Plugins []string
	// Hooks are the names of filters and actions that change responses.
	Hooks []string
}

// Read reads what q requests from the installation at dir. Problems with single files
// become warnings. An error means that the folder itself can't be read, or that ctx ended.
func Read(ctx context.Context, dir string, q Query) (*Folder, error) {
	return read(ctx, dir, q, searchLimits())
}

func read(ctx context.Context, dir string, q Query, hooks limits) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("WordPress folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("WordPress folder: %w", err)
	}
	r := &reader{dir: dir, bases: []place{{root: root, path: dir}}, opened: []*os.Root{root}}
	defer r.close()
	wordpress := r.bases[0]
	content := r.base(wordpress, "wp-content", q.ContentDir)
	plugins := r.base(content, "plugins", q.PluginDir)
	mustUse := r.base(content, "mu-plugins", q.MUPluginDir)
	languages := r.base(content, "languages", q.LangDir)
	themes := r.folder(content, "themes")

	f := &Folder{WordPress: r.wordpress(wordpress)}
	f.Plugins = r.plugins(plugins, q.Plugins)
	f.MustUse = r.mustUse(mustUse)
	f.DropIns = r.dropIns(content)
	f.Theme = r.theme(themes, q.Stylesheet, q.Template)
	f.Packs = r.packs(languages, plugins, q.Locale, f.WordPress)
	for _, locale := range q.Locales {
		if _, read := f.Further[locale]; !read && locale != q.Locale {
			if f.Further == nil {
				f.Further = map[string]langpack.Packs{}
			}
			f.Further[locale] = r.packs(languages, plugins, locale, f.WordPress)
		}
	}

	s := newSearch(r, q.Hooks, hooks)
	if len(q.Hooks) > 0 {
		s.searchFolder(ctx, mustUse, ".", maxDepth)
		s.searchTheme(ctx, themes, f.Theme)
		for _, main := range q.Plugins {
			s.searchPlugin(ctx, plugins, main)
		}
	}
	f.Hooks, f.Warnings = s.found, r.warnings
	return f, ctx.Err()
}

// maxMustUse limits the files listed from mu-plugins.
const maxMustUse = 1000

// mustUse returns the PHP files in mu-plugins.
func (r *reader) mustUse(folder place) []string {
	var names []string
	for _, entry := range r.list(folder, ".", maxMustUse) {
		if strings.HasSuffix(entry.Name(), ".php") && !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// dropIns returns the files that WordPress loads from wp-content by their names. Links
// count too, since PHP may follow them.
func (r *reader) dropIns(content place) []string {
	var names []string
	for _, name := range []string{"object-cache.php", "advanced-cache.php", "db.php"} {
		if content.root == nil {
			break
		}
		if _, err := content.root.Lstat(name); err == nil {
			names = append(names, name)
		}
	}
	return names
}
