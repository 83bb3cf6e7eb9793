// Package texttest has what the tests of wptext's packages share: checks of inputs and
// outputs, recorded vectors, seeds for fuzzing. Only tests import it.
package texttest

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"calbridge/testdata"
)

// CheckPairs calls fn with each input. The pairs are inputs and outputs in turn.
func CheckPairs(t *testing.T, fn func(string) string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got := fn(pairs[i]); got != pairs[i+1] {
			t.Errorf("\n in   %q\n got  %q\n want %q", pairs[i], got, pairs[i+1])
		}
	}
}

// Vector is one recorded input and output of a text function of WordPress.
type Vector struct {
	Name, Locale, Input, Output string

	Fn          string // excerpt.json: the function
	PostExcerpt string `json:"post_excerpt"`
	Filter      string // kses.json: the filter
}

// Row is a recorded write: what was sent and the row it made.
type Row struct {
	Name, Role string
	Input      struct{ Title, Venue, Organizer, Description, Excerpt, Slug string }
	Output     struct{ Row map[string]string }
}

// Check calls fn with each recorded vector of a file in shared/vectors. Where fn returns
// false the vector is for another function.
func Check(t *testing.T, file string, fn func(v Vector) (string, bool)) {
	t.Helper()
	for _, v := range Vectors[Vector](t, file) {
		if got, ok := fn(v); ok && got != v.Output {
			t.Errorf("%s %s\n in   %q\n got  %q\n want %q", v.Name, v.Locale, v.Input, got, v.Output)
		}
	}
}

// Vectors reads the recorded vectors of a file in shared/vectors.
func Vectors[T any](t testing.TB, file string) (list []T) {
	t.Helper()
	ReadJSON(t, &list, "vectors", file)
	return list
}

// ReadJSON reads a JSON file of the reference material, which may be compressed.
func ReadJSON(t testing.TB, v any, path ...string) {
	t.Helper()
	file, err := os.Open(testdata.Shared(t, path...))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var text io.Reader = file
	if strings.HasSuffix(file.Name(), ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}
