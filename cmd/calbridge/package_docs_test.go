package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// mappedFile matches a file in the list of files of a package comment.
var mappedFile = regexp.MustCompile(`\b([a-z0-9_*]+\.go):? `)

// TestPackageDocs checks that each package has one package comment, so that go doc prints it in
// order, and that the files in its list exist.
func TestPackageDocs(t *testing.T) {
	root := filepath.Join("..", "..")
	packages := 0
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case strings.HasPrefix(entry.Name(), ".") && path != root || entry.Name() == "testdata" && path != filepath.Join(root, "testdata"):
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(path, "*.go"))
		if err != nil {
			return err
		}
		var comments []string
		code := 0
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			code++
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				return err
			}
			if parsed.Doc != nil {
				comments = append(comments, parsed.Doc.Text())
			}
		}
		if code == 0 {
			return nil
		}
		packages++
		if len(comments) != 1 {
			t.Errorf("%s: %d package comments, want one", path, len(comments))
			return nil
		}
		for line := range strings.Lines(comments[0]) {
			if !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "  - ") {
				continue
			}
			for _, m := range mappedFile.FindAllStringSubmatch(line, -1) {
				if found, err := filepath.Glob(filepath.Join(path, m[1])); err != nil || len(found) == 0 {
					t.Errorf("%s: its package comment lists %s, which does not exist", path, m[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil || packages < 50 {
		t.Errorf("%d packages found: %v", packages, err)
	}
}
