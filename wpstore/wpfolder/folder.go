package wpfolder

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"calbridge/wpstore/langpack"
)

// Folder is what the files of a WordPress installation say. Empty fields are not known.
type Folder struct {
	// WordPress is the version in wp-includes/version.php.
	WordPress string
	// Plugins has the main files that were asked for, by their names ("folder/file.php").
	Plugins map[string]Plugin
	// MustUse are the PHP files that WordPress loads from mu-plugins, by name.
	MustUse []string
	// DropIns are those of object-cache.php, advanced-cache.php and db.php that there are.
	DropIns []string
	// Theme is the one asked for, completed from its parent.
	Theme Theme
	// Packs are the language packs of the locale.
	Packs langpack.Packs
	// Hooks are the calls that hook into one of the names asked for.
	Hooks []Hook
	// Warnings are what could not be read.
	Warnings []Warning
}

// Plugin is the header of a plugin's main file.
type Plugin struct{ Name, Version string }

// Theme is what the files of a theme say plainly.
type Theme struct {
	Name, Version, Stylesheet, Template string
	// JSON says that there is a theme.json, and ContentSize is the width of content in it,
	// such as "645px".
	JSON        bool
	ContentSize string
	// Layout is what theme.json says about gaps between blocks.
	Layout Layout
	// HTML5 are the features of add_theme_support('html5', …) in functions.php.
	HTML5 []string
	// ContentWidth is the number that functions.php gives $content_width.
	ContentWidth int
	// Block says that it is a block theme.
	Block bool
}

// Layout is what a theme.json says about gaps between blocks, where it says so.
type Layout struct {
	// BlockGap: the theme has gaps; RootPadding is useRootPaddingAwareAlignments.
	BlockGap, RootPadding *bool
	// Gap is the general gap as CSS, and Gaps those of blocks by name.
	Gap  string
	Gaps map[string]string
}

// Hook is a call of add_filter or add_action.
type Hook struct {
	Name string
	File string // relative to the WordPress folder, absolute where it lies outside
	Line int
}

// Warning is a file or folder that could not be read.
type Warning struct{ File, Problem string }

// Query says what to read.
type Query struct {
	// The constants WP_CONTENT_DIR, WP_PLUGIN_DIR, WPMU_PLUGIN_DIR and WP_LANG_DIR of
	// wp-config.php. Empty ones have WordPress's defaults.
	ContentDir, PluginDir, MUPluginDir, LangDir string
	// Stylesheet and Template are the options of these names, and Locale is WPLANG.
	Stylesheet, Template, Locale string
	// Plugins are the main files of the active plugins.
	Plugins []string
	// Hooks are the names of filters and actions that change answers.
	Hooks []string
}

// Read reads what q asks for of the installation at dir. Problems of single files become
// warnings; an error means that the folder itself can't be read, or that ctx ended.
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
	f.Packs = r.packs(languages, q.Locale, f.WordPress)

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

// maxMustUse bounds what is listed of mu-plugins.
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

// dropIns returns the files that WordPress loads from wp-content by their names. Where they
// are links is not looked at: PHP may follow them.
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
