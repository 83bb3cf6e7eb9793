package fragment

import (
	"strings"
	"testing"
)

func TestDifferBeyondContent(t *testing.T) {
	const ours = `{"id":1,"title":"a","description":"x","excerpt":"","venue":{"id":5,"description":"v"},"json_ld":{"name":"a","description":"x","location":{"description":"v"}}}`
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"text", `"description":"x","excerpt":""`, `"description":"<b>y<\/b>","excerpt":"<p>y<\/p>"`, ""},
		{"description of another type", `"description":"x","excerpt"`, `"description":{"rendered":"y"},"excerpt"`, ""},
		{"linked data", `"name":"a","description":"x"`, `"name":"a","description":"y"`, ""},
		{"another member of linked data", `"name":"a"`, `"name":"b"`, "json_ld"},
		{"text of a place in linked data", `"location":{"description":"v"}`, `"location":{"description":"w"}`, "json_ld"},
		{"text of a nested object", `"id":5,"description":"v"`, `"id":5,"description":"w"`, "venue"},
		{"a further member", `"title":"a"`, `"title":"a","extra":1`, "extra"},
		{"two members", `"title":"a","description":"x","excerpt":"","venue":{"id":5`, `"title":"b","description":"y","excerpt":"","venue":{"id":6`, "title venue"},
		{"no excerpt", `"excerpt":"",`, "", "excerpt"},
		{"order", `"description":"x","excerpt":""`, `"excerpt":"","description":"x"`, orderOf},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(ours, c.old) {
				t.Fatalf("no %s", c.old)
			}
			a, b := mustSplit(t, ours), mustSplit(t, strings.Replace(ours, c.old, c.new, 1))
			if got := strings.Join(a.DifferBeyondContent(b), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			inList, other := mustSplit(t, `{"events":[`+ours+`],"total":1}`), mustSplit(t, `{"events":[`+strings.Replace(ours, c.old, c.new, 1)+`],"total":1}`)
			if got := strings.Join(inList.DifferBeyondContent(other), " "); got != c.want {
				t.Errorf("in a list: %q, want %q", got, c.want)
			}
		})
	}
}
