package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// comparesVersions returns an expression for code that decides by a version: a call of a
// helper, a comparison with a literal version, and an ordered comparison of something called a
// version.
func comparesVersions() *regexp.Regexp {
	const literal = `"v?[0-9]+\.[0-9]+(\.[0-9]+)*[a-z0-9.-]*"`
	return regexp.MustCompile(`(?i)compareVersion|version_?compare|golang\.org/x/mod/semver|go/version|hashicorp/go-version` +
		`|([<>]=?|[!=]=)\s*` + literal + `|` + literal + `\s*([<>]=?|[!=]=)` + `|case ` + literal +
		`|\b(compare|hasprefix|equalfold|contains)\([^()]*` + literal + `\)` +
		`|\w*version\w*\s*[<>]=?\s*\w+|\b(cmp|strings)\.Compare\([^)]*version`)
}

// TestVersionsAreComparedInOnePlace checks that only rest/trait compares versions, and that
// all other code asks for traits. Numbers that only look like versions are listed.
func TestVersionsAreComparedInOnePlace(t *testing.T) {
	if testing.Short() {
		t.Skip("reads files, in one goroutine")
	}
	form := comparesVersions()
	for _, code := range []string{
		`if trait.CompareVersions(v, w) < 0 {`, `if v < "6.15.3" {`, `"6.9" == site.WordPress`, `case "6.5", "6.6":`,
		`strings.HasPrefix(v, "6.15")`, `if version >= oldest {`, `cmp.Compare(version, other)`,
	} {
		if !form.MatchString(code) {
			t.Errorf("not seen: %s", code)
		}
	}
	notVersions := map[string]string{
		"rest/cost/format.go": `formatDecimals(php.ToFloat(point), 2) == "0.00"`, // an amount of money
	}
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case d.IsDir() && (name == "rest/trait" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			code, _, _ := strings.Cut(line, "//")
			if found := form.FindString(code); found != "" && (notVersions[name] == "" || !strings.Contains(code, notVersions[name])) {
				t.Errorf("%s:%d compares versions (%s): that belongs into a row of rest/trait", name, n, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("only %d files were read", files)
	}
}
