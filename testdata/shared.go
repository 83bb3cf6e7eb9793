// Package testdata is where tests find their data: what lies in this folder, and the
// reference material beside the repository. Only tests and their support import it.
package testdata

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or folder in testdata.
func Path(elem ...string) string {
	return filepath.Join(append([]string{root(), "testdata"}, elem...)...)
}

// root returns the repository's root: the folder with go.mod at or above the working directory. The
// names of source files don't tell it in a build with -trimpath.
func root() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return "."
}

// Shared returns the path of a file or folder in ../shared: recordings, dumps, vectors and
// the specification of the reference. CALBRIDGE_SHARED names another place. Where the
// file is missing the test is skipped, and fails if CALBRIDGE_REQUIRE_SHARED is 1, as
// in CI.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	shared := os.Getenv("CALBRIDGE_SHARED")
	if shared == "" {
		shared = Path("..", "..", "shared")
	}
	path := filepath.Join(append([]string{shared}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_SHARED") == "1" {
			t.Fatalf("reference material is required: %v", err)
		}
		t.Skipf("no reference material: %v (CALBRIDGE_SHARED names its folder)", err)
	}
	return path
}
