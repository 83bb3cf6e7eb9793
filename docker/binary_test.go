package docker_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"calbridge/cmd/calbridge/buildinfo"
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

// ldflags are those of the Dockerfile's build line, and buildArgs the arguments of the build.
const ldflags = "-s -w -X calbridge/cmd/calbridge/buildinfo.revision=${REVISION}"

var buildArgs = map[string]string{"REVISION": "0123abc"}

// binary builds calbridge as the Dockerfile does and returns its path.
func binary(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "calbridge-image"); built.err != nil {
			return
		}
		// As in the build stage, version control is not available.
		build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags="+os.Expand(ldflags, func(arg string) string { return buildArgs[arg] }), "-o", filepath.Join(built.dir, "calbridge"), "../cmd/calbridge")
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

// TestDockerfileBuildsLikeTheTests checks that the Dockerfile's build line is the one the
// tests use.
func TestDockerfileBuildsLikeTheTests(t *testing.T) {
	const line = `RUN CGO_ENABLED=0 go build -trimpath -ldflags="` + ldflags + `" -o /out/calbridge ./cmd/calbridge`
	dockerfile := read(t, "Dockerfile")
	if !strings.Contains(dockerfile, line) {
		t.Errorf("the Dockerfile does not build with\n%s", line)
	}
	for arg := range buildArgs {
		if !strings.Contains(dockerfile, "\nARG "+arg+"=\n") {
			t.Errorf("the Dockerfile does not declare the argument %s", arg)
		}
		if compose := read(t, "compose.yaml"); !strings.Contains(compose, "        "+arg+": ${CALBRIDGE_"+arg+":-}\n") {
			t.Errorf("compose.yaml does not pass %s on", arg)
		}
	}
}

// TestImageKnowsItsVersion checks that a program built without version control has the
// version of the tree and the revision passed to the build.
func TestImageKnowsItsVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	if got, want := output(t, binary(t), "version"), "calbridge "+buildinfo.Version+" (revision 0123abc, "; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
