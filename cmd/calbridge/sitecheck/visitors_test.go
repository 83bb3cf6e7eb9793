package sitecheck

import (
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/notice"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
)

func visitorHook(hook, file string, reads ...string) notice.VisitorHook {
	return notice.VisitorHook{Hook: notice.Hook{Name: hook, Callback: "guard", File: file, Line: 3}, Reads: reads}
}

// TestVisitorCode: code that reads who asks is named until the owner accepts it, and so is a
// companion plugin that doesn't tell.
func TestVisitorCode(t *testing.T) {
	all := []notice.VisitorHook{
		visitorHook("rest_pre_dispatch", "wp-content/plugins/members/guard.php", "REMOTE_ADDR", "HTTP_X_API_KEY"),
		visitorHook("init", "wp-content/plugins/members/more.php", "HTTP_USER_AGENT"),
		visitorHook("init", "wp-content/mu-plugins/key.php", "HTTP_X_API_KEY", "HTTP_ORIGIN", "HTTP_COOKIE"), // go to WordPress anyway
		visitorHook("the_content", "wp-content/themes/shop/functions.php", "*"),
	}
	for _, c := range []struct {
		name      string
		visitors  []notice.VisitorHook
		companion bool
		change    func(*settings.Rollout)
		want      string
	}{
		{"all", all, true, nil, "plugins/members themes/shop"},
		{"one is accepted", all, true, func(r *settings.Rollout) { r.HarmlessCode = []string{"plugins/members"} }, "themes/shop"},
		{"the beginning of a name", all, true, func(r *settings.Rollout) { r.HarmlessCode = []string{"plugins/mem"} }, "plugins/members themes/shop"},
		{"a kind is accepted", all, true, func(r *settings.Rollout) { r.HarmlessCode = []string{"themes/*"} }, "plugins/members"},
		{"everything is accepted", all, true, func(r *settings.Rollout) { r.HarmlessCode = []string{"*"} }, ""},
		{"a header that calbridge answers because the owner says so", all, true, func(r *settings.Rollout) { r.Headers = []string{"X-Api-*"} }, "mu-plugins/key.php plugins/members themes/shop"},
		{"nothing reads", []notice.VisitorHook{}, true, nil, ""},
		{"an older companion", nil, true, nil, UnknownCode},
		{"an older companion, accepted", nil, true, func(r *settings.Rollout) { r.HarmlessCode = []string{"*"} }, ""},
		{"no companion", nil, false, func(r *settings.Rollout) { r.Proof.WithoutCompanion = true }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &settings.Settings{}
			s.Rollout.Plan.Mode, s.Rollout.Plan.Clients = rollout.Auto, 100
			if c.companion {
				s.Companion.URL = "http://127.0.0.1:1/"
			}
			if c.change != nil {
				c.change(&s.Rollout)
			}
			d := sitefacts.New(sitefacts.Inputs{Database: &wpstore.SiteFacts{}, Companion: &notice.SiteFacts{WordPress: "6.1", Visitors: c.visitors}})
			var names []string
			for _, code := range VisitorCodeOf(s, d) {
				names = append(names, code.Name)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			found := slices.DeleteFunc(Facts(s, d), func(f check.Finding) bool { return f.Name != "site.visitor-code" })
			if len(found) != len(names) {
				t.Fatalf("%d findings: %+v", len(found), found)
			}
			for i, f := range found {
				if f.Status != check.StatusWarn || names[i] != UnknownCode && (!strings.Contains(f.Found, names[i]) || !strings.Contains(f.Advice, "--harmless-code "+names[i])) {
					t.Errorf("%+v", f)
				}
			}
			s.Rollout.Plan.Mode = rollout.Proxy
			if found := visitorFindings(s, d); len(found) > 0 {
				t.Errorf("with --mode proxy: %+v", found)
			}
		})
	}
}
