package statedir

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// TestMain also runs as the process that TestKilled kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STATEDIR_KILLED"); dir != "" {
		replaceAndDie(dir, os.Getenv("STATEDIR_STEPS"))
	}
	os.Exit(m.Run())
}

// replaceAndDie makes some steps of replacing a file, and sends itself SIGKILL.
func replaceAndDie(dir, steps string) {
	f, err := Open(dir, "lock")
	if err != nil {
		panic(err)
	}
	n, _ := strconv.Atoi(steps)
	for _, step := range f.steps("file", []byte("after"))[:n] {
		if err := step(); err != nil {
			panic(err)
		}
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func open(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir, "lock")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestKilled: after SIGKILL at each step of replacing, the file is as before or as it was to be,
// the lock is free, and the file can be replaced again.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	steps := len((&Folder{}).steps("", nil))
	for _, before := range []string{"", "before"} {
		for n := range steps + 1 {
			dir := filepath.Join(t.TempDir(), "state")
			if before != "" {
				f := open(t, dir)
				if err := errors.Join(f.Replace("file", []byte(before)), f.Close()); err != nil {
					t.Fatal(err)
				}
			}
			child := exec.Command(self)
			child.Env = append(os.Environ(), "STATEDIR_KILLED="+dir, "STATEDIR_STEPS="+strconv.Itoa(n))
			out, err := child.CombinedOutput()
			if status, ok := child.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
				t.Fatalf("step %d: %v %s", n, err, out)
			}
			f := open(t, dir)
			got, err := f.Read("file", 100)
			want := before
			if n >= steps-1 { // renamed
				want = "after"
			}
			if want == "" && !errors.Is(err, os.ErrNotExist) || want != "" && (err != nil || string(got) != want) {
				t.Errorf("killed after %d steps: %q %v, want %q", n, got, err, want)
			}
			if err := f.Replace("file", []byte("again")); err != nil {
				t.Errorf("killed after %d steps: %v", n, err)
			}
			if got, err := f.Read("file", 5); err != nil || string(got) != "again" {
				t.Errorf("killed after %d steps: %q %v", n, got, err)
			}
		}
	}
}

// TestFolder: other users may not read a folder, and only one process at a time may write.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "state")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	f := open(t, dir)
	if _, err := Open(dir, "lock"); !errors.Is(err, ErrInUse) {
		t.Errorf("a second one: %v", err)
	}
	if err := f.Replace("file", []byte("text")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "file": 0o600, "lock": 0o600} {
		if info, err := os.Stat(f.Path(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v %v, want %v", name, info.Mode(), err, want)
		}
	}
	if _, err := f.Read("file", 3); err == nil {
		t.Error("a file that is too large was read")
	}
	if err := errors.Join(f.Remove("file"), f.Remove("file")); err != nil {
		t.Error(err)
	}
	if _, err := f.Read("file", 100); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after removing: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	open(t, dir)
}
