package apipage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/rest/wpsite"
)

// TestPage: one small document whose policy allows what is in it, and nothing else.
func TestPage(t *testing.T) {
	res, err := Handlers()[routes.Docs.Of("")](t.Context(), &routes.Request{Place: &wpsite.Place{}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(res.Body)
	_, after, _ := strings.Cut(text, "<style>")
	css, after, _ := strings.Cut(after, "</style>")
	_, after, _ = strings.Cut(after, `<script type="module">`)
	js, _, _ := strings.Cut(after, "</script>")
	policy := res.Fields[0].Value.(string)
	for _, want := range []string{"style-src " + hashOf(css) + ";", "script-src " + hashOf(js) + ";", "default-src 'none'", "connect-src 'self'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	if strings.Contains(policy, "unsafe") || len(text) > 30_000 || !strings.Contains(text, `<html lang="en">`) || strings.Contains(text, "://") {
		t.Errorf("%s, %d bytes:\n%s", policy, len(text), text)
	}
	if diff := cmp.Diff(api.Header{Name: "Referrer-Policy", Value: "no-referrer"}, res.Fields[1]); diff != "" {
		t.Error(diff)
	}
}
