package docker_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// built is the directory of the binary that the tests share.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// binary builds calbridge as the Dockerfile does and returns its path.
func binary(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "calbridge-image"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(built.dir, "calbridge"), "../cmd/calbridge")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "calbridge")
}

// TestDockerfileBuildsLikeTheTests holds the build line to what the tests build.
func TestDockerfileBuildsLikeTheTests(t *testing.T) {
	const line = `RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/calbridge ./cmd/calbridge`
	if !strings.Contains(read(t, "Dockerfile"), line) {
		t.Errorf("the Dockerfile does not build with\n%s", line)
	}
}
