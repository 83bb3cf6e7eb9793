package wpfolder

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// limits restrict the search for hooks in an installation.
type limits struct {
	entries   int   // of folders
	files     int   // PHP files
	bytes     int64 // of these files
	fileBytes int64 // of one of them
	hooks     int
}

// maxDepth is how deep folders are searched.
const maxDepth = 30

// searchLimits returns limits several times above the size of a large installation.
func searchLimits() limits {
	return limits{entries: 200_000, files: 40_000, bytes: 512 << 20, fileBytes: 4 << 20, hooks: 1000}
}

// search looks for hooks until it has used up its limits.
type search struct {
	*reader
	left  limits
	names map[string]bool
	found []Hook
	ended bool
}

func newSearch(r *reader, names []string, left limits) *search {
	s := &search{reader: r, left: left, names: map[string]bool{}}
	for _, name := range names {
		s.names[name] = true
	}
	return s
}

// companionFile is the main file of calbridge's companion plugin, whose hooks need no
// warning.
const companionFile = "calbridge-companion.php"

// known reports whether calbridge itself implements what a plugin's hooks do.
func known(folder string) bool {
	return slices.Contains([]string{"the-events-calendar", "event-tickets", "sitepress-multilingual-cms",
		"polylang", "polylang-pro", "calbridge-companion"}, folder) || strings.HasPrefix(folder, "wpml-")
}

// end stops the search because one of its limits is reached. Its warning is added even if
// there are too many others.
func (s *search) end(at, limit string) {
	if !s.ended {
		s.warnings = append(s.warnings, Warning{at, "the search for hooks ended here, as it has reached " + limit + ": there may be more hooks"})
	}
	s.ended = true
}

// searchPlugin searches the folder of a plugin, or its only file.
func (s *search) searchPlugin(ctx context.Context, plugins place, main string) {
	main = path.Clean(main)
	folder, _, inFolder := strings.Cut(main, "/")
	switch {
	case !filepath.IsLocal(main): // a warning about it exists already
	case !inFolder:
		s.searchFile(ctx, plugins, main)
	case !known(folder):
		s.searchFolder(ctx, plugins, folder, maxDepth)
	}
}

// searchTheme searches the functions.php of a theme and its parent.
func (s *search) searchTheme(ctx context.Context, themes place, t Theme) {
	if t.Stylesheet == "" {
		return
	}
	for _, name := range union([]string{t.Stylesheet}, []string{t.Template}) {
		s.searchFile(ctx, s.folder(themes, name), "functions.php")
	}
}

// searchFolder searches the PHP files of a folder and the folders in it.
func (s *search) searchFolder(ctx context.Context, p place, name string, depth int) {
	if s.ended || ctx.Err() != nil {
		return
	}
	if depth == 0 {
		s.end(s.label(p, name), "the depth of folders that is searched")
		return
	}
	entries := s.list(p, name, s.left.entries+1)
	if len(entries) > s.left.entries {
		s.end(s.label(p, name), "the number of files that are listed")
		return
	}
	s.left.entries -= len(entries)
	for _, entry := range entries {
		file := path.Join(name, entry.Name())
		switch {
		case strings.HasPrefix(entry.Name(), "."), entry.Name() == "node_modules":
		case entry.IsDir():
			s.searchFolder(ctx, p, file, depth-1)
		case entry.Type()&fs.ModeSymlink != 0 && s.isFolder(p, file):
			s.warn(s.label(p, file), "the folder is a link, behind which hooks are not searched")
		case strings.HasSuffix(entry.Name(), ".php"):
			s.searchFile(ctx, p, file)
		}
	}
}

// searchFile searches one PHP file.
func (s *search) searchFile(ctx context.Context, p place, name string) {
	if s.ended || ctx.Err() != nil || path.Base(name) == companionFile {
		return
	}
	if s.left.files == 0 {
		s.end(s.label(p, name), "the number of files that are searched")
		return
	}
	if s.left.bytes <= 0 {
		s.end(s.label(p, name), "the number of bytes that are searched")
		return
	}
	s.left.files--
	data, err := s.whole(p, name, s.left.fileBytes)
	if err != nil {
		return
	}
	s.left.bytes -= int64(len(data))
	for _, c := range hookCalls(string(data), s.names, s.left.hooks+1) {
		if s.left.hooks == 0 {
			s.end(s.label(p, name), "the number of hooks that are listed")
			return
		}
		s.left.hooks--
		s.found = append(s.found, Hook{c.argument, s.label(p, name), c.line})
	}
}
