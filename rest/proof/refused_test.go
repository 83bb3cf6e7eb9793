package proof

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// TestRefusedExports checks which events of an export count as left out by WordPress.
func TestRefusedExports(t *testing.T) {
	export := func(ids ...int64) string {
		lines := []string{"BEGIN:VCALENDAR"}
		for _, id := range ids {
			lines = append(lines, "BEGIN:VEVENT", fmt.Sprintf("UID:%d-1-2@town.example", id), "END:VEVENT")
		}
		return strings.Join(append(lines, "END:VCALENDAR"), "\r\n")
	}
	for _, c := range []struct {
		name, theirs string
		status       int
		want         []int64
	}{
		{"the same", export(1, 2, 3), http.StatusOK, nil},
		{"one left out", export(1, 3), http.StatusOK, []int64{2}},
		{"another one in its place", export(1, 3, 4), http.StatusOK, []int64{2}},
		{"a shorter page", export(1), http.StatusOK, nil},
		{"none", "", http.StatusOK, []int64{1, 2, 3}},
		{"a page of the site", "<p>Maintenance</p>", http.StatusOK, nil},
		{"a notice before it", "Notice\r\n" + export(1, 3), http.StatusOK, nil},
		{"not found", "", http.StatusNotFound, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Result{
				Summary: &api.Summary{Tags: []invalidation.Tag{{Kind: invalidation.Events}, {Kind: invalidation.Post, ID: 1}, {Kind: invalidation.Post, ID: 2}, {Kind: invalidation.Post, ID: 3}}},
				Ours:    Side{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/calendar; charset=UTF-8"}}, Body: []byte(export(1, 2, 3))},
				Theirs:  Side{Status: c.status, Header: http.Header{}, Body: []byte(c.theirs)},
			}
			var got []int64
			for _, tag := range r.refused() {
				got = append(got, tag.ID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
