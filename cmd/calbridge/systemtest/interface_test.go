package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// demoIndex is the index of the demo's namespace as clients read it.
type demoIndex struct {
	Routes map[string]struct {
		Methods   []string
		Endpoints []struct {
			Methods []string
			Args    arguments
		}
		Links demoLinks `json:"_links"`
	}
	Links demoLinks `json:"_links"`
}

// demoLinks are links by relation.
type demoLinks map[string][]map[string]string

// arguments are an endpoint's; PHP writes no arguments as a list.
type arguments map[string]map[string]any

func (a *arguments) UnmarshalJSON(data []byte) error {
	if string(data) == "[]" {
		return nil
	}
	return json.Unmarshal(data, (*map[string]map[string]any)(a))
}

// TestPublishedInterface compares the demo's index with the published description
// of the interface: routes, methods, arguments, types and defaults.
func TestPublishedInterface(t *testing.T) {
	text, err := os.ReadFile(testdata.Shared(t, "spec", "interface.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, nil, "demo", "--keep", publishedSite(t), "--extensions=false")
	tables := readTables(string(text))
	for _, root := range []string{"", "/en", "/de"} {
		t.Run("root "+root, func(t *testing.T) {
			_, body := fetch(t, s.api+root+"/wp-json/calendar/events/v1")
			var index demoIndex
			if err := json.Unmarshal([]byte(body), &index); err != nil {
				t.Fatal(err)
			}
			compareIndex(t, index, tables)
			compareLanguages(t, index, tables["4.1 Parameters common to all routes"])
			if want := s.api + root + "/wp-json/"; index.Links["up"][0]["href"] != want {
				t.Errorf("up is %v, want %s", index.Links["up"], want)
			}
			for path, route := range index.Routes {
				if self := route.Links["self"]; self != nil && self[0]["href"] != s.api+root+"/wp-json"+path {
					t.Errorf("%s has its self link at %v", path, self)
				}
			}
		})
	}
}

// publishedSite returns the file of a demo whose lists have one entry per page, as those of the
// site that the interface was published for.
func publishedSite(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "published.db")
	start(t, nil, "demo", "--keep", file).stop()
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const name, ten, one = "tribe_events_calendar_options", `"posts_per_page";s:2:"10";`, `"posts_per_page";s:1:"1";`
	result, err := db.SQL().Exec(`UPDATE wp_options SET option_value = REPLACE(option_value, ?, ?) WHERE option_name = ? AND INSTR(option_value, ?) > 0`, ten, one, name, ten)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		t.Fatalf("%d options changed, %v", n, err)
	}
	return file
}

func compareIndex(t *testing.T, index demoIndex, tables map[string][][]string) {
	t.Helper()
	routes := tables["4. Endpoints"]
	if len(routes) != len(index.Routes) || len(routes) == 0 {
		t.Errorf("%d routes, published are %d", len(index.Routes), len(routes))
	}
	route := func(path string) string {
		path = strings.ReplaceAll(path, "/by-slug/{slug}", `/by-slug/(?P<slug>[^/]+)`)
		return strings.ReplaceAll(path, "{id}", `(?P<id>\d+)`)
	}
	for _, row := range routes {
		path := route(strings.Trim(row[0], "`"))
		if got := strings.Join(index.Routes[path].Methods, ", "); got != row[1] {
			t.Errorf("%s: methods %q, published are %q", path, got, row[1])
		}
	}
	const ns = "/calendar/events/v1"
	for _, c := range []struct {
		section, path, method string
		published             func([][]string) [][]string
	}{
		{"4.3 Events", ns + "/events", "GET", listRows},
		{"4.4 Venues", ns + "/venues", "GET", listRows},
		{"4.6 Categories", ns + "/categories", "GET", listRows},
		{"2.1 Event fields (create and update)", ns + "/events", "POST", fieldRows},
		{"2.2 Venue fields (create and update)", ns + "/venues", "POST", fieldRows},
		{"2.3 Organizer fields (create and update)", ns + "/organizers", "POST", fieldRows},
		{"2.4 Category fields", ns + "/categories", "POST", termRows},
		{"2.5 Tag fields", ns + "/tags", "POST", termRows},
	} {
		for _, e := range index.Routes[c.path].Endpoints {
			if slices.Contains(e.Methods, c.method) {
				compareArguments(t, c.method+" "+c.path, e.Args, c.published(tables[c.section]))
			}
		}
	}
}

// compareLanguages looks for the language argument on every route and method,
// which the published interface has in one table for all.
func compareLanguages(t *testing.T, index demoIndex, published [][]string) {
	t.Helper()
	if len(published) != 1 {
		t.Fatalf("published are the common parameters %q", published)
	}
	name, typ, required := strings.Trim(published[0][0], "`"), published[0][1], published[0][2]
	var codes []any
	for i, piece := range strings.Split(published[0][3], "`") {
		if i%2 == 1 {
			codes = append(codes, piece)
		}
	}
	for path, route := range index.Routes {
		for _, e := range route.Endpoints {
			arg := e.Args[name]
			if arg["type"] != typ || arg["required"] != (required == "yes") || !reflect.DeepEqual(arg["enum"], codes) {
				t.Errorf("%s %v: %s is %v, published is %q", path, e.Methods, name, arg, published[0])
			}
			if arg["description"] == nil || len(arg) != 4 {
				t.Errorf("%s %v: %s is described by %v", path, e.Methods, name, arg)
			}
		}
	}
}

// readTables returns the rows of the Markdown tables below each heading, without
// their heads.
func readTables(text string) map[string][][]string {
	out := map[string][][]string{}
	heading := ""
	rows := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimLeft(line, "# ")
		}
		if !strings.HasPrefix(line, "|") {
			rows = 0
			continue
		}
		if rows++; rows <= 2 {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out[heading] = append(out[heading], cells)
	}
	return out
}

// The three shapes of tables, brought to: name, type, required, default.

func listRows(rows [][]string) [][]string {
	var out [][]string
	for _, r := range rows {
		out = append(out, []string{r[0], r[1], "no", r[2]})
	}
	return out
}

func fieldRows(rows [][]string) [][]string { return rows }

func termRows(rows [][]string) [][]string {
	var out [][]string
	for _, r := range rows {
		out = append(out, []string{r[0], r[1], r[2], ""})
	}
	return out
}

func compareArguments(t *testing.T, where string, args arguments, published [][]string) {
	t.Helper()
	names := map[string]bool{}
	for _, row := range published {
		name, typ, required, def := row[0], row[1], row[2], row[3]
		names[name] = true
		arg, ok := args[name]
		if !ok {
			t.Errorf("%s: %s is missing", where, name)
			continue
		}
		if arg["required"] != (required == "yes") {
			t.Errorf("%s: %s: required is %v, published is %q", where, name, arg["required"], required)
		}
		if got := typeOf(arg); got != publishedType(typ) {
			t.Errorf("%s: %s: type %q, published is %q", where, name, got, typ)
		}
		value, has := arg["default"]
		switch word, _, _ := strings.Cut(def, " "); {
		case def == "":
			if has {
				t.Errorf("%s: %s: default %v, published is none", where, name, value)
			}
		case word == "advertised": // a moment
			if text, _ := value.(string); len(text) != len("2006-01-02 15:04:05") {
				t.Errorf("%s: %s: default %v, published is a moment", where, name, value)
			}
		case word == "null":
			if !has || value != nil {
				t.Errorf("%s: %s: default %v, published is null", where, name, value)
			}
		default:
			_, isText := value.(string)
			if fmt.Sprint(value) != word || strings.Contains(def, "as the text") && !isText {
				t.Errorf("%s: %s: default %#v, published is %q", where, name, value, def)
			}
		}
	}
	for name := range args {
		if !names[name] {
			t.Errorf("%s: %s is not published", where, name)
		}
	}
}

// typeOf sums up the type of an argument in the index.
func typeOf(arg map[string]any) string {
	if items, ok := arg["items"].(map[string]any); ok {
		return fmt.Sprintf("array of %v", items["type"])
	}
	for _, key := range []string{"type", "format"} {
		if v, ok := arg[key].(string); ok {
			return v
		}
	}
	return ""
}

func publishedType(typ string) string {
	typ, _, _ = strings.Cut(typ, " (")
	switch typ {
	case "untyped", "unspecified type", "boolean-like", "date-time string", "date-time":
		return ""
	case "number":
		return "double"
	}
	return typ
}
