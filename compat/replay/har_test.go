package replay

import (
	"context"
	"strings"
	"testing"

	"calbridge/compat/compattest"
)

func TestHARReplays(t *testing.T) {
	file := compattest.WriteFile(t, "b.har", strings.ReplaceAll(compattest.BrowserHAR, `{"name":"Set-Cookie","value":"a=1\nb=2"}`, `{"name":"vary","value":"Origin"}`))
	server := compattest.ReplayServer(t, []string{file}, nil, nil)
	for _, writes := range []bool{false, true} {
		report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Selection: Selection{Writes: writes}})
		want := map[bool]int{false: 1, true: 2}[writes]
		if err != nil || report.Same != want || report.SkippedBy[ReasonNoAPI] != 1 || report.SkippedBy[ReasonWrites] != 2-want {
			t.Errorf("error %v, %+v", err, report)
		}
	}
}
