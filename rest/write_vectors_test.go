package rest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writeSite returns the site that the vectors of writes were made on, with a user of
// each role.
func writeSite(t *testing.T) *testSite {
	s := vectorSite(t)
	s.setOption("timezone_string", "")
	s.setOption("gmt_offset", "0")
	s.addUser(2, "author", "author")
	return s
}

// metas returns the rows of a post's metadata, but for those of which every save has
// the same.
func (s *testSite) metas(id int64) [][2]string {
	s.t.Helper()
	rows, err := s.SQL().Query("SELECT meta_key, meta_value FROM wp_postmeta WHERE post_id = ? ORDER BY meta_id", id)
	if err != nil {
		s.t.Fatal(err)
	}
	defer rows.Close()
	var out [][2]string
	for rows.Next() {
		var m [2]string
		if err := rows.Scan(&m[0], &m[1]); err != nil {
			s.t.Fatal(err)
		}
		if m[0] != "_tribe_modified_fields" {
			out = append(out, m)
		}
	}
	return out
}

func (s *testSite) column(statement string, args ...any) string {
	s.t.Helper()
	var value string
	if err := s.SQL().QueryRow(statement, args...).Scan(&value); err != nil {
		s.t.Fatalf("%s: %v", statement, err)
	}
	return value
}

func TestWriteVectors(t *testing.T) {
	type vector struct {
		Name, Role, Endpoint string
		Input                json.RawMessage
		Output               struct {
			Status   int
			Row      map[string]string
			Meta     [][2]string
			Response map[string]string
			Terms    []map[string]string
		}
	}
	for _, v := range vectors[vector](t, "write.json") {
		t.Run(v.Name, func(t *testing.T) {
			s := writeSite(t)
			as := "admin"
			if v.Role == "author" {
				as = "author"
			}
			a := s.do(ask{method: "POST", target: vectorBase + v.Endpoint, as: as, contentType: "application/json", body: string(v.Input)})
			if a.status != v.Output.Status {
				t.Fatalf("status %d, want %d: %.300s", a.status, v.Output.Status, a.body)
			}
			if a.status != 201 {
				return
			}
			var answered map[string]any
			if err := json.Unmarshal([]byte(a.body), &answered); err != nil {
				t.Fatal(err)
			}
			id := int64(answered["id"].(float64))
			for name, want := range v.Output.Row {
				if got := s.column("SELECT "+name+" FROM wp_posts WHERE ID = ?", id); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			metas := s.metas(id)
			if len(metas) > 0 && strings.HasSuffix(metas[0][0], "Origin") && !strings.HasSuffix(v.Output.Meta[0][0], "Origin") {
				metas = metas[1:] // the vectors of events leave it out
			}
			if d := cmp.Diff(v.Output.Meta, metas); d != "" {
				t.Errorf("metadata (-want +got):\n%s", d)
			}
			for field, want := range v.Output.Response {
				if got := fmt.Sprint(answered[field]); got != want {
					t.Errorf("answer: %s: %q, want %q", field, got, want)
				}
			}
			for _, term := range v.Output.Terms {
				n := s.column(`SELECT COUNT(*) FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id
					JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
					WHERE tr.object_id = ? AND t.name = ? AND t.slug = ? AND tt.taxonomy = ? AND tt.description = ?`,
					id, term["name"], term["slug"], term["taxonomy"], term["description"])
				if n != "1" {
					t.Errorf("term %v: %s times", term, n)
				}
			}
		})
	}
}

// TestCostWriteVectors: what becomes of costs, and of the currency in them.
func TestCostWriteVectors(t *testing.T) {
	type vector struct {
		Name, Kind string
		Input      any
		Output     struct {
			Stored   map[string][]string
			Response json.RawMessage
		}
	}
	n := 0
	for _, v := range vectors[json.RawMessage](t, "cost.json") {
		var x vector
		if json.Unmarshal(v, &x) != nil || x.Kind != "write" {
			continue
		}
		n++
		s := writeSite(t)
		body, err := json.Marshal(map[string]any{"title": "x", "start_date": "2027-06-01 18:00", "end_date": "2027-06-01 20:00", "cost": x.Input})
		if err != nil {
			t.Fatal(err)
		}
		a := s.do(ask{method: "POST", target: vectorBase + "events", as: "admin", contentType: "application/json", body: string(body)})
		var answered struct{ ID int64 }
		if err := json.Unmarshal([]byte(a.body), &answered); err != nil || a.status != 201 {
			t.Fatalf("%v: %d %.300s", x.Input, a.status, a.body)
		}
		stored := map[string][]string{}
		for _, m := range s.metas(answered.ID) {
			stored[m[0]] = append(stored[m[0]], m[1])
		}
		for key, want := range x.Output.Stored {
			if got := stored[key]; len(got)+len(want) > 0 && !cmp.Equal(got, want) {
				t.Errorf("%s: %v: %s: %q, want %q", x.Name, x.Input, key, got, want)
			}
		}
	}
	if n == 0 {
		t.Error("no vectors of writes")
	}
}
