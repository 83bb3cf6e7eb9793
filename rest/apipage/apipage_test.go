package apipage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
)

// TestPage: one document whose policy allows what is in it, and nothing else.
func TestPage(t *testing.T) {
	res, err := Handlers()[tribev1.Docs.Of("")](t.Context(), &wprest.Request{Place: &wpsite.Place{}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(res.Body)
	_, after, _ := strings.Cut(text, "<style>")
	css, after, _ := strings.Cut(after, "</style>")
	_, after, _ = strings.Cut(after, "<script>")
	viewer, after, _ := strings.Cut(after, "</script>")
	_, after, _ = strings.Cut(after, `<script type="module">`)
	js, rest, _ := strings.Cut(after, "</script>")
	policy := res.Fields[0].Value.(string)
	want := "default-src 'none'; style-src-elem " + hashOf(css) + "; style-src-attr 'unsafe-inline'; script-src " + hashOf(viewer) + " " + hashOf(js) + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	if diff := cmp.Diff(want, policy); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(viewer, "SwaggerUIBundle") || !strings.Contains(js, "SwaggerUIBundle(") || strings.Contains(rest, "<script") {
		t.Errorf("%d and %d bytes of script, then %q", len(viewer), len(js), rest)
	}
	// In a script, <!-- and <script together hide the end tag.
	if strings.Contains(viewer, "<!--") || strings.Contains(viewer, "<script") {
		t.Error("the element of Swagger UI does not end where its text does")
	}
	if diff := cmp.Diff(api.Header{Name: "Referrer-Policy", Value: "no-referrer"}, res.Fields[1]); diff != "" {
		t.Error(diff)
	}
}

// TestInline: a script keeps its meaning.
func TestInline(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"comment", `a="<!--"`, `a="\x3C!--"`}, {"start", `a="<script>"`, `a="\x3Cscript>"`}, {"end", `a=/<\/x/,b="</script>"`, `a=/<\/x/,b="\x3C/script>"`}, {"other", `a<b`, `a<b`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := inline(test.script); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}
