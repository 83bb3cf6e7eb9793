package recording_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
	"calbridge/testdata"
)

// TestOpenAppend checks that a cut-off line is removed and whole lines of any length stay.
// Files that are not recordings stay untouched.
func TestOpenAppend(t *testing.T) {
	const header = `{"format":"` + recording.HeaderFormat + `"}` + "\n"
	long := `{"x":"` + strings.Repeat("y", 200_000) + `"}` + "\n"
	for name, c := range map[string]struct{ before, want string }{
		"new":               {"", ""},
		"whole lines":       {header + long, header + long},
		"cut off":           {header + `{"id":"to`, header},
		"cut off, long":     {header + strings.TrimSuffix(long, "\n"), header},
		"cut off in header": {strings.TrimSuffix(header, "}\n"), ""},
	} {
		file := compattest.WriteFile(t, "x.jsonl", c.before)
		f, size, err := recording.OpenAppend(file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_, writeErr := io.WriteString(f, "next\n")
		f.Close()
		if got, err := os.ReadFile(file); err != nil || writeErr != nil || string(got) != c.want+"next\n" || size != int64(len(c.want)) {
			t.Errorf("%s: %d bytes, then %.80q, %v", name, size, got, errors.Join(err, writeErr))
		}
	}
	for _, other := range []string{"notes\n", `{"format":"other/1"}` + "\n", "{"} {
		file := compattest.WriteFile(t, "notes", other)
		if _, _, err := recording.OpenAppend(file); err == nil {
			t.Errorf("%q is continued", other)
		}
		if got, _ := os.ReadFile(file); string(got) != other {
			t.Errorf("%q became %q", other, got)
		}
	}
	if _, _, err := recording.OpenAppend(filepath.Join(t.TempDir(), "none", "x")); err == nil {
		t.Error("a file in no folder")
	}
}

func TestWriteFile(t *testing.T) {
	full := errors.New("disk is full")
	file := filepath.Join(t.TempDir(), "x")
	if err := recording.WriteFile(file, func(io.Writer) error { return full }); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if err := recording.WriteFile(filepath.Join(file, "y"), nil); err == nil {
		t.Error("a file below a file")
	}
}

func TestNamespaceOf(t *testing.T) {
	named := compattest.WriteRecording(t, "a.jsonl", recording.Header{Format: recording.HeaderFormat, Namespace: "calendar/events/v1"})
	other := compattest.WriteFile(t, "b.jsonl", `{"format":"other/1","namespace":"x/v1"}`+"\n")
	for file, want := range map[string]string{named: "calendar/events/v1", other: recording.DefaultNamespace, testdata.Path("recordings", "terms.jsonl"): recording.DefaultNamespace} {
		if got, err := recording.NamespaceOf(file); err != nil || got != want {
			t.Errorf("%s: %s, %v", file, got, err)
		}
	}
	if _, err := recording.NamespaceOf("/none/x.jsonl"); err == nil {
		t.Error("a missing file")
	}
}

// TestOwnRecordings checks that the recordings in this repository are complete and that
// each line has a unique id.
func TestOwnRecordings(t *testing.T) {
	files, err := recording.ExpandGlobs([]string{testdata.Path("recordings", "*.jsonl")})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	if err := recording.Read(files, func(e recording.Entry) error {
		if e.Exchange != nil {
			if ids[e.Exchange.ID] || e.Exchange.Response.Status == 0 || e.Exchange.Line == 0 {
				t.Errorf("%s:%d: %s", e.Exchange.File, e.Exchange.Line, e.Exchange.ID)
			}
			ids[e.Exchange.ID] = true
		}
		return nil
	}); err != nil || len(ids) < 50 {
		t.Errorf("%d exchanges, %v", len(ids), err)
	}
	for _, bad := range []string{"[", "/none/*"} {
		if _, err := recording.ExpandGlobs([]string{bad}); err == nil {
			t.Errorf("%s matches", bad)
		}
	}
	if _, err := recording.ExpandGlobs(nil); err == nil {
		t.Error("no patterns match")
	}
}
