package render

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"calbridge/wpstore"
)

// TestKeysHaveRules checks that everything that renders metadata names its keys by wpstore.MetaKey,
// so that the rules of wpstore.MetaRules apply.
func TestKeysHaveRules(t *testing.T) {
	rules := map[string]bool{}
	for _, rule := range wpstore.MetaRules() {
		rules[rule.Key] = true
	}
	literal := regexp.MustCompile(`"(_\w+)"`)
	files := 0
	for _, dir := range []string{".", filepath.Join("..", "..", "cost")} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			for _, found := range literal.FindAllSubmatch(text, -1) {
				if rules[string(found[1])] {
					t.Errorf("%s names %s; use its wpstore.MetaKey", path, found[0])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 10 {
		t.Errorf("%d files", files)
	}
}
