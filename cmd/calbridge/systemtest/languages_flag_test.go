package systemtest

import (
	"strings"
	"testing"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestLanguagesFlag sets --languages for the sample calendar with its language plugin switched
// off.
func TestLanguagesFlag(t *testing.T) {
	dsn := "sqlite:" + sampleFile(t)
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	plugins := phpserial.Serialize(php.Strings("the-events-calendar/the-events-calendar.php"))
	if _, err := db.SQL().Exec("UPDATE wp_options SET option_value = ? WHERE option_name = 'active_plugins'", plugins); err != nil {
		t.Fatal(err)
	}
	const want = "no language plugin; language_code selects the wording: cs, en, de"
	if _, found := checkReport(t, "--dsn", dsn, "--languages", "cs,en,de"); !strings.Contains(found["site.languages"].Found, want) {
		t.Errorf("check says %q, want %q in it", found["site.languages"].Found, want)
	}
	s := start(t, nil, "serve", "--dsn", dsn, "--languages", "cs,en,de")
	if _, index := fetch(t, s.api+sampleAPI); strings.Count(index, `"language_code":{`) < 20 || !strings.Contains(index, `"enum":["cs","en","de"]`) {
		t.Errorf("the index does not advertise the parameter: %.500s", index)
	}
	messages := map[string]bool{}
	for _, code := range []string{"cs", "en", "de"} {
		resp, text := fetch(t, s.api+sampleAPI+"/events/99999999?language_code="+code)
		if got := outcomeOf(resp, text); got != "404 rest-event-not-found" {
			t.Errorf("%s: %s", code, got)
		}
		messages[text] = true
	}
	if len(messages) != 3 {
		t.Errorf("three languages say the same: %v", messages)
	}
	for target, want := range map[string]string{
		"/events?language_code=fr": "400 rest_invalid_param rest_not_in_enum",
		"/tags?language_code=":     "400 rest_invalid_param rest_not_in_enum",
		"/doc?language_code[]=en":  "400 rest_invalid_param rest_invalid_type",
	} {
		resp, text := fetch(t, s.api+sampleAPI+target)
		if got := outcomeOf(resp, text); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}
