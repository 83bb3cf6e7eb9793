package sitecheck

import (
	"strings"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/wpstore/check"
)

// TestClusterFindings checks the findings about nodes that are written together, and that the
// writers' cookie is reported as a difference from WordPress.
func TestClusterFindings(t *testing.T) {
	s := &settings.Settings{}
	s.API.Compat = api.Exact
	if got := clusterFindings(s, false); len(got) != 0 {
		t.Errorf("one server: %+v", got)
	}
	s.Database.WriterCookie = true
	got := clusterFindings(s, true)
	if len(got) != 2 || got[0].Status != check.StatusOK || !strings.Contains(got[0].Found, "one fails and calbridge retries") ||
		got[1].Status != check.StatusWarn || !strings.Contains(got[1].Found, "set a cookie that WordPress doesn't set") {
		t.Errorf("%+v", got)
	}
	s.API.Compat = api.Safe
	if got := clusterFindings(s, false); len(got) != 0 {
		t.Errorf("outside exact: %+v", got)
	}
}
