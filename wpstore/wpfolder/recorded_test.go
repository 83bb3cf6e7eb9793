package wpfolder_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/testdata"
	"calbridge/wpstore/langpack"
	"calbridge/wpstore/wpfolder"
)

// variant is a recorded site that has files of its own.
type variant struct {
	Label       string
	Locale      string
	Files       map[string]string
	FilesBase64 map[string][]byte `json:"files_base64"`
	// LocaleStrings are what distribution packs, which are not recorded, say.
	LocaleStrings map[string]any `json:"locale_strings"`
}

func variants(t *testing.T) map[string]variant {
	t.Helper()
	data, err := os.ReadFile(testdata.Shared(t, "recordings", "variants", "variants.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Variants []variant }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	byLabel := map[string]variant{}
	for _, v := range file.Variants {
		byLabel[v.Label] = v
	}
	return byLabel
}

// folder writes the files of a variant and reads them.
func (v variant) folder(t *testing.T, q wpfolder.Query) *wpfolder.Folder {
	t.Helper()
	dir := site(t, v.Files)
	for name, data := range v.FilesBase64 {
		writeFiles(t, dir, map[string]string{name: string(data)})
	}
	return read(t, dir, q)
}

// answers returns all bodies recorded of a variant, with plain slashes and letters.
func (v variant) answers(t *testing.T) string {
	t.Helper()
	f, err := os.Open(testdata.Shared(t, "recordings", "variants", v.Label+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	encoder := json.NewEncoder(&all)
	encoder.SetEscapeHTML(false)
	for decoder := json.NewDecoder(bufio.NewReader(lines)); decoder.More(); {
		var exchange struct{ Response struct{ Body string } }
		if err := decoder.Decode(&exchange); err != nil {
			t.Fatal(err)
		}
		var body any
		if json.Unmarshal([]byte(exchange.Response.Body), &body) == nil {
			if err := encoder.Encode(body); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all.String()
}

// TestRecordedPacks reads the language packs of the recorded sites that have their own.
// Beside each text stands what the recorded answers contain because of it.
func TestRecordedPacks(t *testing.T) {
	type text struct{ value, shows string }
	quotes := func(open, closing, openSingle, closingSingle string) map[string]text {
		return map[string]text{
			"opening double": {open, open}, "closing double": {closing, closing},
			"opening single": {openSingle, openSingle}, "closing single": {closingSingle, closingSingle},
		}
	}
	add := func(m, more map[string]text) map[string]text {
		for name, t := range more {
			m[name] = t
		}
		return m
	}
	for label, tt := range map[string]struct {
		texts map[string]text
		never []string // in answers: what a default would show
	}{
		"locale-cs_CZ-own-files": {add(quotes("&#8222;", "&#8220;", "&#8218;", "&#8216;"), map[string]text{
			"Private: %s": {"Soukromé: %s", "Soukromé: "}, "Protected: %s": {value: "Zaheslováno: %s"},
			"decimal point": {value: ","}, "thousands separator": {value: " "},
		}), []string{"&#8221;"}},
		"locale-de_DE-own-files": {add(quotes("&#8222;", "&#8220;", "&#8218;", "&#8216;"), map[string]text{
			"Private: %s": {value: "Nur intern: %s"}, "Protected: %s": {value: "Mit Passwort: %s"},
			"decimal point": {value: ","}, "thousands separator": {value: "."},
			"em dash": {"&#8211;", "&#8211;"}, "excerpt length": {value: "40"},
		}), []string{"&#8221;", "&#8212;"}},
		"locale-es_ES-own-files": {map[string]text{
			"opening double": {"&#171;", "&#171;"}, "closing double": {"&#187;", "&#187;"},
			"Private: %s": {"Privado: %s", "Privado: "}, "Protected: %s": {value: "Protegido: %s"},
			"decimal point": {value: ","}, "thousands separator": {value: "."},
			"event slug":     {"evenement", "/evenement/"},
			"events slug":    {"evenements", "/evenements/categorie/"},
			"category slug":  {"categorie", "/evenements/categorie/"},
			"venue slug":     {"lieu", "/lieu/"},
			"organizer slug": {"organisateur", "/organisateur/"},
			"tag slug":       {value: "etiquette"},
			"Free":           {"Gratuit", `"cost":"Gratuit"`},
		}, []string{"&#8221;", "/event/", "/venue/", "/organizer/"}},
	} {
		t.Run(label, func(t *testing.T) {
			v := variants(t)[label]
			f := v.folder(t, wpfolder.Query{Locale: v.Locale})
			expectWarnings(t, f)
			answers := v.answers(t)
			want := map[string]string{}
			for name, text := range tt.texts {
				want[name] = text.value
				if !strings.Contains(answers, text.shows) {
					t.Errorf("no recorded answer has %q", text.shows)
				}
			}
			if diff := cmp.Diff(want, f.Packs.Texts()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for _, text := range tt.never {
				if strings.Contains(answers, text) {
					t.Errorf("a recorded answer has %q", text)
				}
			}
		})
	}
}

// TestRecordedNames finds each recorded text of a locale among the texts that are looked up.
// Lists are names of months and weekdays, which no answer contains.
func TestRecordedNames(t *testing.T) {
	known := map[string]bool{}
	for _, text := range langpack.Texts() {
		known[text.Name] = true
	}
	for label, v := range variants(t) {
		for name, value := range v.LocaleStrings {
			if _, isText := value.(string); isText && !known[name] {
				t.Errorf("%s: %q is not looked up", label, name)
			}
		}
	}
}

// TestRecordedThemes reads the themes of the recorded sites that have their own.
func TestRecordedThemes(t *testing.T) {
	for label, want := range map[string]wpfolder.Theme{
		"theme-child-of-twentyseventeen": {Name: "My Child", Stylesheet: "child17", Template: "twentyseventeen", HTML5: []string{"caption", "gallery"}},
		"theme-classic-no-html5":         {Name: "Old", Stylesheet: "oldclassic", Template: "oldclassic"},
	} {
		f := variants(t)[label].folder(t, wpfolder.Query{Stylesheet: want.Stylesheet, Template: want.Template})
		if diff := cmp.Diff(want, f.Theme); diff != "" {
			t.Errorf("%s (-want +got)\n%s", label, diff)
		}
	}
}
