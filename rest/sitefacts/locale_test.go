package sitefacts

import (
	"slices"
	"testing"

	"calbridge/rest/notice"
	"calbridge/wpstore/langpack"
	"calbridge/wpstore/wpfolder"
)

// TestLanguage: texts come from the language packs, marks from the companion plugin first.
// Without packs the language is a concern.
func TestLanguage(t *testing.T) {
	pack, err := langpack.ParsePHP([]byte("<?php return ['messages'=>['Private: %s'=>'Privé : %s',\"apostrophe\\x04&#8217;\"=>'&rsquo;']];"))
	if err != nil {
		t.Fatal(err)
	}
	french := database()
	french.WPLang = "fr_FR"
	folder := &wpfolder.Folder{WordPress: "7.0", Packs: langpack.Packs{Core: pack}}
	companion := &notice.SiteFacts{WordPress: "7.0", Locale: "fr_FR", Texturize: map[string]string{"apostrophe": "'"}}
	all := &notice.SiteFacts{WordPress: "7.0", Locale: "fr_FR", Texturize: map[string]string{
		"apostrophe": "'", "Private: %s": "Privé : %s", "Free": "Gratuit", "number_format_decimal_point": "number_format_decimal_point",
	}}
	for name, c := range map[string]struct {
		in                  Inputs
		apostrophe, private string
		packs, unknown      bool
	}{
		"nothing":             {Inputs{Database: french}, "", "", false, true},
		"folder":              {Inputs{Database: french, Folder: folder}, "&rsquo;", "Privé : %s", true, false},
		"folder without pack": {Inputs{Database: french, Folder: &wpfolder.Folder{WordPress: "7.0"}}, "&#8217;", "Private: %s", true, false},
		"companion":           {Inputs{Database: french, Companion: companion}, "'", "", false, true},
		"companion with all":  {Inputs{Database: french, Companion: all}, "'", "Privé : %s", true, true},
		"both":                {Inputs{Database: french, Companion: companion, Folder: folder}, "'", "Privé : %s", true, false},
		"English":             {Inputs{Database: database()}, "", "", false, false},
	} {
		d := New(c.in)
		texts := d.LanguageTexts()
		if texts["apostrophe"] != c.apostrophe || texts["Private: %s"] != c.private || (d.Packs() != nil) != c.packs {
			t.Errorf("%s: %v", name, texts)
		}
		if concern := slices.Contains(names(d), "site.locale"); concern != c.unknown {
			t.Errorf("%s: concern %t", name, concern)
		}
	}
	d := New(Inputs{Database: french, Companion: all})
	if free, ok := d.Packs().Calendar.Lookup("", "Free"); !ok || free != "Gratuit" || d.LanguageTexts()["decimal point"] != "." {
		t.Errorf("%q, %v", free, d.LanguageTexts())
	}
	other, err := langpack.ParsePHP([]byte("<?php return ['messages'=>['Private: %s'=>'Privé : %s',\"apostrophe\\x04&#8217;\"=>'&rsquo;','Closed'=>'Fermé']];"))
	if err != nil {
		t.Fatal(err)
	}
	before := New(Inputs{Database: french, Folder: folder})
	after := New(Inputs{Database: french, Folder: &wpfolder.Folder{WordPress: "7.0", Packs: langpack.Packs{Core: other}}})
	if changes := after.Changes(before); len(changes) != 1 {
		t.Errorf("a pack with another message is no change: %q", changes)
	}
}
