package api

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/wpstore/langpack"
)

// profileFile writes a profile of our own.
func profileFile(t *testing.T, json string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "profile.json")
	if err := os.WriteFile(file, []byte(json), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLoadProfile(t *testing.T) {
	for json, want := range map[string]string{
		`{"format":"calbridge-profile/1","languages":{}}`: "",
		`{"format":"calbridge-profile/9"}`:                `has format "calbridge-profile/9"`,
		`not json`:                                        "is not a JSON profile",
	} {
		_, err := LoadProfile(profileFile(t, json))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", json, err)
		}
	}
	if _, err := LoadProfile(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a missing file is a profile")
	}
}

// TestWording: the profile's words of the language come first, then its default ones, then
// ours of the language, then our English ones, then the key.
func TestWording(t *testing.T) {
	p, err := LoadProfile(profileFile(t, `{"format":"calbridge-profile/1","languages":{
		"cs":{"words":{"free":"nula"},"args":{"/fairs":{"POST,PUT":{"slug":"jmeno v adrese"}}},"doc":{"/info/title":"Jarmark"},"blocks":{"fair/map":"<p>mapa</p>"}},
		"default":{"words":{"free":"zero","venue_base":"barn"},"errors":{"rest_no_route":"No way to {place}","x.y":"variant"},"doc":{"/a/parameters/0/description":"profiled"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	cs, de, own := NewWording(p, "cs", nil), NewWording(p, "de", nil), NewWording(nil, "xx", nil)
	methods := []string{"POST", "PUT"}
	english := own.catalogues[1]
	for name, c := range map[string][2]string{
		"word of the language":       {cs.Word("free"), "nula"},
		"word of the default":        {de.Word("free"), "zero"},
		"second section":             {cs.Word("venue_base"), "barn"},
		"our word":                   {own.Word("free"), english.Words["free"]},
		"no word":                    {own.Word("no such word"), "no such word"},
		"message":                    {cs.Message("rest_no_route", map[string]string{"place": "Lhota"}), "No way to Lhota"},
		"message without variables":  {cs.Message("x.y", nil), "variant"},
		"our message":                {own.Message("rest_no_route", nil), english.Errors["rest_no_route"]},
		"argument":                   {cs.Argument("/fairs", methods, "slug", false), "jmeno v adrese"},
		"argument of other methods":  {own.Argument("/fairs", methods[:1], "slug", false), english.Arguments["slug"]},
		"language argument":          {own.Argument("/fairs", methods, "jazyk", true), english.Arguments["language"]},
		"argument in the document":   {cs.DocumentArgument("/a/parameters/0/description", "/fairs", methods, "slug", false), "profiled"},
		"else that of the index":     {cs.DocumentArgument("/b", "/fairs", methods, "slug", false), "jmeno v adrese"},
		"document":                   {cs.Document("/info/title", "info.title"), "Jarmark"},
		"our document":               {own.Document("/info/title", "info.title"), english.Documents["title"]},
		"field without an own text":  {own.Document("/x", "Nothing.slug"), english.Arguments["slug"]},
		"no item":                    {own.List(nil), ""},
		"one item":                   {own.List([]string{"a"}), "a"},
		"two items":                  {own.List([]string{"a", "b"}), "a" + own.Word("list_pair_separator") + "b"},
		"three items":                {own.List([]string{"a", "b", "c"}), "a" + own.Word("list_separator") + "b" + own.Word("list_last_separator") + "c"},
		"blocks":                     {cs.Blocks()["fair/map"], "<p>mapa</p>"},
		"blocks of another language": {de.Blocks()["fair/map"], ""},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %q, want %q", name, c[0], c[1])
		}
	}
	if text := own.Document("/x", "Event.all_day"); text == "" || text == "Event.all_day" {
		t.Errorf("Event.all_day: %q", text)
	}
}

// TestWordingOfPacks: the site's language packs translate what is English in the profile.
func TestWordingOfPacks(t *testing.T) {
	parse := func(text string) *langpack.Catalogue {
		c, err := langpack.ParsePHP([]byte("<?php return ['messages'=>[" + text + "]];"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	packs := &langpack.Packs{
		Core:     parse(`'Bad: %s'=>'Špatně: %s','Gone'=>'jádro','Private: %s'=>'Tajné: %s','%s, %s'=>'%s; %s','%1$s, and %2$s'=>'%1$s a %2$s','barn'=>'jádro'`),
		Calendar: parse(`'Gone'=>'Pryč','Free'=>'Zdarma','barn'=>'stodola','A slug'=>'Jméno','Fairs'=>'Jarmarky',"dash\x04 - "=>' až ','United States'=>'Spojené státy',"calendar feed\x04Events for %s"=>'Akce: %s','Content is protected.'=>'Chráněno.'`),
	}
	p, err := LoadProfile(profileFile(t, `{"format":"calbridge-profile/1","languages":{"default":{
		"words":{"venue_base":"barn","private_title":"Private: %s","protected_title":"Zamčeno: %s","list_last_separator":", and ","range_separator":" - "},
		"errors":{"rest_invalid_param":"Bad: {params}","event-gone":"Gone","rest_gone":"Gone","rest_no_route":"Nikam"},
		"args":{"/fairs":{"GET":{"slug":"A slug"}}},"doc":{"/info/title":"Fairs"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	w, own := NewWording(p, "cs_CZ", packs), NewWording(nil, "cs_CZ", &langpack.Packs{})
	for name, c := range map[string][2]string{
		"message":                   {w.Message("rest_invalid_param", map[string]string{"params": "x"}), "Špatně: x"},
		"message of the calendar":   {w.Message("event-gone", nil), "Pryč"},
		"the same of WordPress":     {w.Message("rest_gone", nil), "jádro"},
		"message in the language":   {w.Message("rest_no_route", nil), "Nikam"},
		"argument":                  {w.Argument("/fairs", []string{"GET"}, "slug", false), "Jméno"},
		"document":                  {w.Document("/info/title", "info.title"), "Jarmarky"},
		"base":                      {w.Word("venue_base"), "stodola"},
		"word without profile":      {w.Word("free"), "Zdarma"},
		"country":                   {w.Word("united_states"), "Spojené státy"},
		"title":                     {w.Word("private_title"), "Tajné: %s"},
		"title in the language":     {w.Word("protected_title"), "Zamčeno: %s"},
		"export":                    {w.Word("calendar_description"), "Akce: %s"},
		"protected":                 {w.Word("content_protected"), "Chráněno."},
		"untranslated":              {own.Word("calendar_description"), "Events for %s"},
		"range":                     {w.Word("range_separator"), " až "},
		"list":                      {w.List([]string{"a", "b", "c"}), "a; b a c"},
		"without packs' own words":  {own.Word("free"), own.catalogues[1].Words["free"]},
		"our message is not theirs": {own.Message("rest_no_route", nil), own.catalogues[0].Errors["rest_no_route"]},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %q, want %q", name, c[0], c[1])
		}
	}
}
