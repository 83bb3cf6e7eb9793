package replay_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"calbridge/compat/diff"
	"calbridge/compat/replay"
)

// A recorded exchange is replayed against a server that has lost a letter of the title.
func ExampleCompare() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":5,"title":"Concer"}`)
	}))
	defer server.Close()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	recording := filepath.Join(folder, "reads.jsonl")
	line := `{"id":"r1","as":"anonymous","request":{"method":"GET","path":"/wp-json/tribe/events/v1/events/5"},` +
		`"response":{"status":200,"headers":{"content-type":["application/json"]},"body":"{\"id\":5,\"title\":\"Concert\"}"}}`
	if err := os.WriteFile(recording, []byte(line+"\n"), 0o600); err != nil {
		panic(err)
	}
	report, err := replay.Compare(context.Background(), replay.Options{
		Target: server.URL, Recordings: []string{recording}, Level: diff.LevelSemantic,
	})
	fmt.Println(report.Same, "the same,", len(report.Differing), "different", err)
	for _, d := range report.Differing[0].Differences {
		fmt.Printf("%s: recorded %s, got %s\n", d.Where, d.Recorded, d.Got)
	}
	// Output:
	// 0 the same, 1 different <nil>
	// $.title: recorded "Concert", got "Concer"
}
