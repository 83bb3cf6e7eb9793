package wpfolder_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"calbridge/wpstore/wpfolder"
)

// mo returns a .mo file with one entry.
func mo(original, translation string) []byte {
	var file []byte
	start := 28 + 2*8
	for _, field := range []int{0x950412de, 0, 1, 28, 36, 0, 0,
		len(original), start, len(translation), start + len(original) + 1} {
		file = binary.LittleEndian.AppendUint32(file, uint32(field))
	}
	return append(file, original+"\x00"+translation+"\x00"...)
}

func TestPackChoice(t *testing.T) {
	const broken = "<?php return ['messages'=>[1+1]];"
	php := func(translation string) string {
		return fmt.Sprintf("<?php return ['messages'=>['Free'=>'%s']];", translation)
	}
	core, calendar := "wp-content/languages/cs_CZ", "wp-content/languages/plugins/the-events-calendar-cs_CZ"
	const own = "wp-content/plugins/the-events-calendar/lang/the-events-calendar-cs_CZ"
	for _, tt := range []struct {
		name, wordpress string
		files           map[string]string
		want            string // of the core's pack and the calendar's
		warnings        []string
	}{
		{"since 6.5", "6.5", map[string]string{core + ".l10n.php": php("php"), core + ".mo": string(mo("Free", "mo"))}, "php ", nil},
		{"a beta of 6.5", "6.5-beta1", map[string]string{core + ".l10n.php": php("php"), core + ".mo": string(mo("Free", "mo"))}, "php ", nil},
		{"before 6.5", "6.4.9", map[string]string{core + ".l10n.php": php("php"), core + ".mo": string(mo("Free", "mo"))}, "mo ", nil},
		{"unknown version", "", map[string]string{core + ".l10n.php": php("php"), core + ".mo": string(mo("Free", "mo"))}, "php ",
			[]string{"wp-includes/version.php: not a version"}},
		{"no PHP file", "10.0", map[string]string{core + ".mo": string(mo("Free", "mo"))}, "mo ", nil},
		{"broken PHP file", "7.0.4", map[string]string{core + ".l10n.php": broken, core + ".mo": string(mo("Free", "mo"))}, "mo ",
			[]string{core + `.l10n.php: the language pack is not used: line 1: "+" where`}},
		{"truncated file", "7.0.4", map[string]string{core + ".mo": string(mo("Free", "mo")[:46]), calendar + ".mo": string(mo("Free", "mo"))}, " mo",
			[]string{core + ".mo: outside of the file", core + ".mo: no language pack of cs_CZ"}},
		{"the calendar's", "7.0.4", map[string]string{core + ".mo": string(mo("Free", "mo")), calendar + ".l10n.php": php("php")}, "mo php", nil},
		{"the calendar's own folder", "7.0.4", map[string]string{core + ".mo": string(mo("Free", "mo")), own + ".mo": string(mo("Free", "own"))}, "mo own", nil},
		{"a download before the calendar's own folder", "7.0.4", map[string]string{core + ".mo": string(mo("Free", "mo")), own + ".l10n.php": php("own"), calendar + ".mo": string(mo("Free", "mo"))}, "mo mo", nil},
		{"none", "7.0.4", nil, " ", []string{core + ".mo: no language pack of cs_CZ"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := site(t, tt.files)
			writeFiles(t, dir, map[string]string{"wp-includes/version.php": "<?php $wp_version = '" + tt.wordpress + "';"})
			f := read(t, dir, wpfolder.Query{Locale: "cs_CZ"})
			core, _ := f.Packs.Core.Lookup("", "Free")
			calendar, _ := f.Packs.Calendar.Lookup("", "Free")
			if got := core + " " + calendar; got != tt.want || f.Packs.Common != nil {
				t.Errorf("translations %q, want %q", got, tt.want)
			}
			expectWarnings(t, f, tt.warnings...)
		})
	}
}

// TestEnglishPack reads a pack of en_US, with which some sites reword WordPress.
func TestEnglishPack(t *testing.T) {
	dir := site(t, map[string]string{"wp-content/languages/plugins/tribe-common-en_US.mo": string(mo("Free", "Gratis"))})
	f := read(t, dir, wpfolder.Query{})
	expectWarnings(t, f)
	if got, _ := f.Packs.Common.Lookup("", "Free"); got != "Gratis" || f.Packs.Core != nil {
		t.Errorf("translation %q", got)
	}
	f = read(t, dir, wpfolder.Query{Locale: "../plugins/x"})
	expectWarnings(t, f, "wp-content/plugins/x.l10n.php: leads out", "wp-content/plugins/x.mo: leads out", "wp-content/plugins/x.mo: no language pack")
}

// TestFurtherPacks reads the packs of the languages of a language plugin.
func TestFurtherPacks(t *testing.T) {
	dir := site(t, map[string]string{
		"wp-content/languages/cs_CZ.mo": string(mo("Free", "Zdarma")), "wp-content/languages/de_DE.mo": string(mo("Free", "Frei")),
		"wp-content/languages/plugins/the-events-calendar-de_DE.mo": string(mo("Free", "Kostenlos")),
	})
	f := read(t, dir, wpfolder.Query{Locale: "cs_CZ", Locales: []string{"cs_CZ", "de_DE", "de_DE"}})
	german := f.Further["de_DE"]
	core, _ := german.Core.Lookup("", "Free")
	calendar, _ := german.Calendar.Lookup("", "Free")
	if core != "Frei" || calendar != "Kostenlos" || len(f.Further) != 1 {
		t.Errorf("%q and %q, %d languages", core, calendar, len(f.Further))
	}
}
