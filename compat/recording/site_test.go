package recording_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestSite(t *testing.T) {
	site, err := recording.LoadSite(compattest.TownSite(t))
	if err != nil {
		t.Fatal(err)
	}
	// Basic base64("jana:abcd efgh"), RFC 7617.
	if got, err := site.Authorization("jana"); err != nil || got != "Basic amFuYTphYmNkIGVmZ2g=" {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := site.Authorization("petr"); err == nil || !strings.Contains(err.Error(), `"petr"`) {
		t.Errorf("an unknown login: %v", err)
	}
	if _, err := (*recording.Site)(nil).Authorization("jana"); err == nil {
		t.Error("a login without a site file")
	}
	for _, bad := range []string{`{`, `{"home":"town.example"}`, `{"home":"ftp://town.example"}`, `{"home":"http://a b"}`} {
		if _, err := recording.LoadSite(compattest.WriteFile(t, "site.json", bad)); err == nil || !strings.Contains(err.Error(), "site.json") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := recording.LoadSite("/none/site.json"); err == nil {
		t.Error("a missing site file")
	}
}

func TestLoadLogins(t *testing.T) {
	logins, err := recording.LoadLogins(compattest.WriteFile(t, "passwords", "# comment\n\n jana:abcd efgh\r\npetr: x:y \n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"jana": "abcd efgh", "petr": "x:y"}, logins); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"jana", ":x", "jana:"} {
		if _, err := recording.LoadLogins(compattest.WriteFile(t, "passwords", "\n"+bad+"\n")); err == nil || !strings.Contains(err.Error(), "passwords:2:") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := recording.LoadLogins("/none/passwords"); err == nil {
		t.Error("a missing password file")
	}
}
