package langpack_test

import (
	"encoding/binary"
	"testing"

	"calbridge/wpstore/langpack"
)

func catalogue(t testing.TB, messages ...message) *langpack.Catalogue {
	t.Helper()
	c, err := langpack.ParseMO(mo(binary.LittleEndian, messages))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTemplate: the names in braces stand for the values of a text, in the order of its
// translation.
func TestTemplate(t *testing.T) {
	c := catalogue(t,
		message{"Plain {text}", "Prostý {text}"}, message{"No stall %s", "Stánek %s není"}, message{"Row %2$d of %1$s", "Řada %2$d v %1$s"},
		message{"%1$s sells %2$s", "%2$s prodává %1$s"}, message{"%s and %s", "%s a %s"}, message{"%1$s is none of %2$l.", "%1$s není z %2$l."},
		message{"%d%% of %s", "%d %% z %s"}, message{"Lost %s", "Ztraceno %2$s"}, message{"fair\x04Only %s", "Jen %s"}, message{"Closed", "Zavřeno"},
	)
	for template, want := range map[string]string{
		"Closed": "Zavřeno", "No stall {id}": "Stánek {id} není", "Row {row} of {fair}": "Řada {row} v {fair}",
		"{who} sells {what}": "{what} prodává {who}", "{a} and {b}": "{a} a {b}", "{param} is none of {enum}.": "{param} není z {enum}.",
		"{n}% of {all}": "{n} % z {all}", "Lost {id}": "", "Only {id}": "", "No stall {ID}": "", "Open {id}": "", "": "",
	} {
		if got, ok := c.Template(template); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %t, want %q", template, got, ok, want)
		}
	}
	if _, ok := (*langpack.Catalogue)(nil).Template("{a} and {b}"); ok {
		t.Error("a nil catalogue has a translation")
	}
}

// TestPacks: WordPress's texts come from its own pack, the calendar's from its two.
func TestPacks(t *testing.T) {
	p := langpack.Packs{
		Core:     catalogue(t, message{"Closed", "jádro"}, message{"Protected: %s", "Zamčeno: %s"}),
		Calendar: catalogue(t, message{"Free", "Zdarma"}, message{"range\x04 to ", " až "}),
		Common:   catalogue(t, message{"Closed", "společné"}, message{"Free", "jinak"}),
	}
	for _, c := range []struct {
		text     string
		calendar bool
		want     string
	}{{"Closed", false, "jádro"}, {"Closed", true, "společné"}, {"Free", true, "Zdarma"}, {"Free", false, "Free"}, {"Protected: {x}", true, "Protected: {x}"}} {
		if got := p.Template(c.text, c.calendar); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	if got := p.Texts(); got["Protected: %s"] != "Zamčeno: %s" || got["Free"] != "Zdarma" || len(got) != 2 {
		t.Errorf("texts: %v", got)
	}
	if got, ok := p.Calendar.LookupAnywhere(" to "); !ok || got != " až " {
		t.Errorf("in any context: %q", got)
	}
	two := catalogue(t, message{"a\x04to", "do"}, message{"b\x04to", "na"})
	if _, ok := two.LookupAnywhere("to"); ok {
		t.Error("one of two contexts was chosen")
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("%1$s sells %2$s", "%2$s %1$s", "{a} sells {b}")
	f.Add("%d%%", "%s%s", "{a}%")
	f.Fuzz(func(t *testing.T, original, translation, template string) {
		catalogue(t, message{original, translation}).Template(template)
	})
}
