package sitefacts

import (
	"slices"
	"testing"

	"calbridge/rest/notice"
)

// TestSuspects: who hooks what changes a field is suspected of it, the hooks that change less
// first.
func TestSuspects(t *testing.T) {
	hook := func(name, file string) notice.Hook {
		return notice.Hook{Name: name, Callback: "f", File: file, Line: 3}
	}
	d := New(Inputs{Companion: &notice.SiteFacts{WordPress: "7.0", Hooks: []notice.Hook{
		hook("tribe_rest_event_data", "wp-content/plugins/members/inc/guard.php"), hook("tribe_get_cost", "wp-content/mu-plugins/prices.php"),
		hook("the_title", "wp-content/themes/child/functions.php"), hook("rest_pre_serve_request", "wp-content/plugins/cors.php"), hook("rest_authentication_errors", "(outside)/close.php"),
	}}})
	for _, c := range []struct{ fields, want []string }{
		{[]string{"body $.events[3].cost"}, []string{"mu-plugins/prices.php", "plugins/members", "plugins/cors.php"}},
		{[]string{"body $.dress_code"}, []string{"plugins/members", "plugins/cors.php"}},
		{[]string{"body $.title"}, []string{"themes/child", "plugins/members", "plugins/cors.php"}},
		{[]string{"headers x-shop"}, []string{"plugins/cors.php"}},
		{[]string{"status"}, nil},
		{nil, nil},
	} {
		if got := d.Suspects(c.fields); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.fields, got, c.want)
		}
	}
	names := HookNames()
	for _, row := range bearings() {
		for _, name := range row.hooks {
			if !slices.Contains(names, name) {
				t.Errorf("%s is no known hook", name)
			}
		}
	}
}
