package sitefacts

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"calbridge/rest/notice"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/wpfolder"
)

// database returns what the database of an ordinary site says.
func database() *wpstore.SiteFacts {
	return &wpstore.SiteFacts{
		SiteAddresses: wpstore.SiteAddresses{Home: "https://a.example", SiteURL: "https://a.example"},
		SiteLocale:    wpstore.SiteLocale{TimezoneString: "Europe/Prague"},
		SiteTheme:     wpstore.SiteTheme{Template: "twentytwentyfive", Stylesheet: "twentytwentyfive"},
		DBVersion:     "61833", ActivePlugins: []string{calendarPlugin}, Occurrences: true,
		Calendar: php.Pairs("latest_ecp_version", "6.17.2"),
	}
}

// names returns those of the concerns.
func names(d *Document) (list []string) {
	for _, c := range d.Concerns() {
		list = append(list, c.Name)
	}
	return list
}

// TestPrecedence: the nearest source wins, and the others are named where they disagree.
func TestPrecedence(t *testing.T) {
	in := Inputs{Database: database()}
	check := func(name Name, value any, source Source, others int) {
		t.Helper()
		f, ok := New(in).Fact(name)
		if !ok || f.Value != value || f.Source != source || len(f.Others) != others {
			t.Errorf("%s: %+v, want %v by %s", name, f, value, source)
		}
	}
	check(WordPress, "7.0", Database, 0)
	check(TEC, "6.17.2", Database, 0)
	check(RESTPrefix, "wp-json", Default, 0)
	in.Folder = &wpfolder.Folder{WordPress: "7.1.0", Plugins: map[string]wpfolder.Plugin{calendarPlugin: {Version: "6.16.1"}}}
	check(WordPress, "7.1.0", Files, 0) // 7.0 and 7.1 have one db_version
	check(TEC, "6.16.1", Files, 1)
	in.Companion = &notice.SiteFacts{WordPress: "6.9.1", Plugins: map[string]string{calendarPlugin: "6.16.1"}, RESTPrefix: "api"}
	check(WordPress, "6.9.1", Companion, 2)
	check(RESTPrefix, "api", Companion, 0)
	in.Owner = Owner{WordPress: "6.8", RESTPrefix: "rest"}
	check(WordPress, "6.8", Setting, 0) // the owner knows
	check(RESTPrefix, "rest", Setting, 0)
	in.Companion.Problems = []notice.Problem{{Fact: "plugins", Problem: "x"}}
	check(TEC, "6.16.1", Files, 1)
	if text := strings.Join(New(in).Disagreements(), "\n"); !strings.Contains(text, `tec.version: WordPress folder says "6.16.1", database says "6.17.2"`) {
		t.Error(text)
	}
}

// TestNonsense checks that an invalid version counts as unknown, and that the next source is used.
func TestNonsense(t *testing.T) {
	for _, version := range []string{"", "banana", "7", "7.0\n", "7.<b>", strings.Repeat("7.", 100)} {
		d := New(Inputs{Database: database(), Folder: &wpfolder.Folder{WordPress: version}})
		if got := d.Text(WordPress); got != "7.0" || d.From(WordPress) != Database {
			t.Errorf("%q: %q by %s", version, got, d.From(WordPress))
		}
	}
	facts := database()
	facts.DBVersion = "99999"
	if !slices.Contains(names(New(Inputs{Database: facts})), "wordpress.version") {
		t.Error("an unknown db_version is no concern")
	}
}

// TestClosing: what may close the site is said to close, unless a nearer source knows
// better.
func TestClosing(t *testing.T) {
	closing := func(in Inputs) (found []string) {
		in.Database = database()
		in.Database.ActivePlugins = append(in.Database.ActivePlugins, "wordfence/wordfence.php")
		for _, c := range New(in).Concerns() {
			if c.Closes {
				found = append(found, c.Name)
			}
		}
		return found
	}
	hooked := &wpfolder.Folder{Hooks: []wpfolder.Hook{{Name: "rest_authentication_errors", File: "wp-content/mu-plugins/a.php", Line: 3}}}
	quiet := &notice.SiteFacts{WordPress: "7.0"}
	available := wpfolder.Hook{Name: "wp_is_application_passwords_available", File: "a.php", Line: 1}
	for name, c := range map[string]struct {
		in   Inputs
		want []string
	}{
		"nothing known":           {Inputs{}, []string{"site.plugins"}},
		"files without hooks":     {Inputs{Folder: &wpfolder.Folder{}}, nil},
		"hook in a file":          {Inputs{Folder: hooked}, []string{"site.hooks"}},
		"companion knows better":  {Inputs{Folder: hooked, Companion: quiet}, nil},
		"companion reports":       {Inputs{Companion: &notice.SiteFacts{WordPress: "7.0", Hooks: []notice.Hook{{Name: "rest_endpoints", Callback: "f"}}}}, []string{"site.hooks"}},
		"report with a problem":   {Inputs{Companion: &notice.SiteFacts{WordPress: "7.0", Hooks: []notice.Hook{{Name: "rest_endpoints", Callback: "f"}}, Problems: []notice.Problem{{Fact: "hooks"}}}}, []string{"site.hooks"}},
		"its effect is not known": {Inputs{Folder: &wpfolder.Folder{Hooks: []wpfolder.Hook{available}}}, []string{"site.hooks"}},
		"its effect is known":     {Inputs{Folder: &wpfolder.Folder{Hooks: []wpfolder.Hook{available}}, Owner: Owner{ApplicationPasswords: "off"}}, nil},
	} {
		if got := closing(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	d := New(Inputs{Database: database(), Folder: hooked, Companion: quiet})
	if !slices.Contains(names(d), "facts.sources") {
		t.Errorf("files and companion disagree: %v", names(d))
	}
}

// TestUploads checks that an uploads address other than WordPress's own is a concern.
func TestUploads(t *testing.T) {
	const ours = "https://a.example/wp-content/uploads"
	for reported, concern := range map[string]bool{"": false, "http://a.example/wp-content/uploads": false, "https://cdn.example/uploads": true} {
		in := Inputs{Database: database(), UploadsURL: ours}
		if reported != "" {
			in.Companion = &notice.SiteFacts{WordPress: "7.0", Uploads: notice.Uploads{BaseURL: reported}}
		}
		d := New(in)
		if got := d.Text(Uploads); got != cmp.Or(reported, ours) || slices.Contains(names(d), "site.uploads") != concern {
			t.Errorf("%q: %s, %v", reported, got, names(d))
		}
	}
}

// TestChanges: a document differs from an earlier one by the values of its facts.
func TestChanges(t *testing.T) {
	before, changed := New(Inputs{Database: database()}), database()
	changed.Template = "astra"
	after := New(Inputs{Database: changed})
	if got := before.Changes(New(Inputs{Database: database()})); got != nil {
		t.Error(got)
	}
	if got := strings.Join(after.Changes(before), "\n"); !strings.Contains(got, `theme.template: "astra", was "twentytwentyfive"`) {
		t.Error(got)
	}
}

// TestJSON: a document is an object of facts with their sources.
func TestJSON(t *testing.T) {
	text, err := json.Marshal(New(Inputs{Database: database()}))
	var facts map[string]struct{ About, Source string }
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	if f := facts["tec.version"]; err != nil || f.Source != "database" || f.About == "" {
		t.Errorf("%v: %s", err, text)
	}
}

// TestRewrittenPrefix reads the REST prefix from rewrite rules.
func TestRewrittenPrefix(t *testing.T) {
	for rules, want := range map[string]any{
		"": nil, "0": nil, "a:1:{broken": nil,
		`a:2:{s:7:"^api/?$";s:22:"index.php?rest_route=/";s:10:"^api/(.*)?";s:33:"index.php?rest_route=/$matches[1]";}`: "api",
	} {
		if got := rewrittenPrefix(rules); got != want {
			t.Errorf("%s: %v, want %v", rules, got, want)
		}
	}
}

// TestVersionsOfTheCalendar: what differs is no concern where calbridge answers so as well,
// but for what no recording tells.
func TestVersionsOfTheCalendar(t *testing.T) {
	for version, want := range map[string]string{
		"6.17.2": "", "6.17.1": "", "6.17.0": "", "6.16.5.1": "writes.version", "6.14.2": "writes.version", "6.15.10": "calendar.version writes.version",
		"6.1.0": "calendar.version writes.version", "6.0.13": "writes.version", "6.0.12": "calendar.version writes.version", "6.18.0": "calendar.version",
	} {
		facts := database()
		facts.Calendar = php.Pairs("latest_ecp_version", version)
		var got []string
		for _, c := range New(Inputs{Database: facts}).Concerns() {
			if c.Name == "calendar.version" || c.Name == "writes.version" {
				got = append(got, c.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", version, got, want)
		}
	}
}

// TestUncomparedVersions checks that versions that calbridge was not compared with are named, with
// what is known to change and what to do.
func TestUncomparedVersions(t *testing.T) {
	for _, c := range []struct {
		name, wordpress, calendar, tickets string
		finding, found                     string // "" for none
	}{
		{"as compared", "7.0.4", "6.17.2", "5.29.2", "", ""},
		{"no Event Tickets", "7.0.4", "6.17.2", "", "", ""},
		{"newer calendar", "7.0.4", "6.18.0", "", "calendar.version", "known to change: iCalendar texts"},
		{"older calendar", "7.0.4", "5.9", "", "calendar.version", "older than 6.0.13"},
		{"newer WordPress", "7.2", "6.17.2", "", "wordpress.version", "newer than 7.1"},
		{"older WordPress", "6.1.9", "6.17.2", "", "wordpress.version", "older than 6.5"},
		{"newer Event Tickets", "7.0.4", "6.17.2", "5.30.0", "event-tickets.version", "RSVPs become Tickets Commerce"},
		{"older Event Tickets", "7.0.4", "6.17.2", "5.20", "event-tickets.version", "older than 5.29.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := Inputs{Database: database(), Companion: &notice.SiteFacts{WordPress: c.wordpress, Plugins: map[string]string{calendarPlugin: c.calendar}}}
			if c.tickets != "" {
				in.Companion.Plugins[ticketsPlugin] = c.tickets
				in.Database.ActivePlugins = []string{ticketsPlugin, calendarPlugin}
			}
			var found []Concern
			for _, concern := range New(in).Concerns() {
				if strings.Contains(concern.Found, "was not compared with calbridge") {
					found = append(found, concern)
				}
			}
			switch {
			case c.finding == "" && len(found) == 0:
			case len(found) != 1 || found[0].Name != c.finding || !strings.Contains(found[0].Found, c.found) || !strings.Contains(found[0].Advice, "--mode auto"):
				t.Errorf("%+v", found)
			}
		})
	}
}

// TestTicketCurrency: Event Tickets is reproduced, but for unrecorded signs of currencies.
func TestTicketCurrency(t *testing.T) {
	for code, want := range map[string]bool{"": false, "USD": false, "EUR": false, "GBP": true, "CZK": true} {
		for _, commerce := range []bool{true, false} {
			in := Inputs{Database: database(), Companion: &notice.SiteFacts{WordPress: "7.0.4", Plugins: map[string]string{calendarPlugin: "6.17.2", ticketsPlugin: "5.29.2"}}}
			in.Database.ActivePlugins = []string{ticketsPlugin, calendarPlugin}
			in.Database.Calendar = php.Pairs("latest_ecp_version", "6.17.2", "tickets_commerce_enabled", commerce, "tickets-commerce-currency-code", code)
			list := names(New(in))
			if slices.Contains(list, "site.tickets") != (want && commerce) || slices.Contains(list, "site.plugins") {
				t.Errorf("%q, Tickets Commerce %v: %v", code, commerce, list)
			}
		}
	}
}
