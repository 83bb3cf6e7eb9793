package profile

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
	"calbridge/testdata"
)

// A profile built from one half of the reference's recordings contains the wording of the
// other half: every template gives the recorded message, and every description and word
// is the same.
func TestProfileOfOneHalfServesTheOther(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all recordings")
	}
	shared := testdata.Shared(t)
	for _, name := range []string{"mono", "poly", "wpml"} {
		for half, label := range []string{"even", "odd"} {
			t.Run(name+" built from "+label+" lines", func(t *testing.T) {
				files, err := recording.ExpandGlobs([]string{filepath.Join(shared, "recordings", name, "reads-*.jsonl.gz")})
				if err != nil {
					t.Fatal(err)
				}
				built, other := NewBuilder(""), NewBuilder("")
				var rest []*recording.Exchange
				err = recording.Read(files, func(e recording.Entry) error {
					if e.Exchange.Line%2 == half {
						built.Add(e.Exchange)
					} else {
						other.Add(e.Exchange)
						if strings.Contains(e.Exchange.Response.Body, `"code":`) {
							rest = append(rest, e.Exchange)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				have := built.Profile()
				checkSameWording(t, have, other.Profile())
				checkMessages(t, have.Languages[wprest.DefaultLanguage], built, rest)
			})
		}
	}
}

// checkSameWording compares the profiles of the two halves. A code or a route recorded
// only once is in only one of them; entries in both must be equal.
func checkSameWording(t *testing.T, have, other *Profile) {
	t.Helper()
	if len(have.Languages) != 1 {
		t.Errorf("%d languages, though all texts of the reference are English", len(have.Languages))
	}
	own := map[slot]string{}
	have.Languages[wprest.DefaultLanguage].each(func(s slot, text string) { own[s] = text })
	missing := map[string][]string{}
	other.Languages[wprest.DefaultLanguage].each(func(s slot, text string) {
		mine, found := own[s]
		switch {
		case !found:
			missing[s.section] = append(missing[s.section], s.key+" "+s.methods+" "+s.name)
		case mine != text:
			t.Errorf("%s %s: one half says %q, the other %q", s.section, s.key, mine, text)
		}
	})
	for _, section := range []string{sectionErrors, sectionWords} {
		if len(missing[section]) > 0 {
			t.Logf("%s that only the other half has: %v", section, missing[section])
		}
	}
	for _, word := range []string{"free", "range_separator", "private_title", "venue_base", "organizer_base", "category_base"} {
		if own[slot{section: sectionWords, key: word}] == "" {
			t.Errorf("the word %s is missing", word)
		}
	}
	for _, section := range []string{sectionArgs, sectionDoc, sectionBlocks} {
		if len(missing[section]) > 0 {
			t.Errorf("%s: %d are missing, the first %v", section, len(missing[section]), missing[section][:min(3, len(missing[section]))])
		}
	}
}

func checkMessages(t *testing.T, wording *Wording, b *Builder, exchanges []*recording.Exchange) {
	t.Helper()
	checked := 0
	check := func(x *recording.Exchange, key, message string, values map[string]string) {
		template, found := wording.Errors[key]
		if !found {
			return
		}
		for name, value := range values {
			template = strings.ReplaceAll(template, "{"+name+"}", value)
		}
		if checked++; template != message {
			t.Errorf("%s: %s gives %q, recorded %q", x.ID, key, template, message)
		}
	}
	for _, x := range exchanges {
		request, reached := wprest.ReadRequest(x.Request)
		_, text, _ := jsontree.UnwrapJSONP(x.Response.Body)
		root, err := jsontree.Parse(text)
		if err != nil || !reached || !b.index.Namespace.Answers(request.Route) {
			continue
		}
		if inner := root.Member("body"); inner != nil {
			root = inner
		}
		if root.Member("message") == nil {
			continue
		}
		data := root.Member("data")
		check(x, root.Member("code").Text(), root.Member("message").Text(),
			map[string]string{"id": request.ID(), "params": joinedParams(data.Member("params"))})
		params := data.Member("params")
		if !params.Is(jsontree.Object) {
			continue
		}
		for i, name := range params.Names {
			detail := data.Member("details").Member(name)
			if detail == nil {
				check(x, "invalid_param", params.Items[i].Text(), nil)
				continue
			}
			arg := b.index.Arg(b.index.Namespace.Below(request.Route), request.Method, name)
			param := name
			if path := detail.Member("data").Member("param").Text(); path != "" {
				param = path
			}
			check(x, detail.Member("code").Text(), detail.Member("message").Text(),
				map[string]string{"param": param, "type": arg.Type, "enum": joinList(wording, arg.Enum)})
		}
	}
	if checked < 50 {
		t.Errorf("only %d messages were checked", checked)
	}
}

func joinList(w *Wording, items []string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	case 2:
		return items[0] + w.Words["list_pair_separator"] + items[1]
	default:
		return strings.Join(items[:n-1], w.Words["list_separator"]) + w.Words["list_last_separator"] + items[n-1]
	}
}

// No text of a profile may contain data of one site or one exchange.
func TestProfileOfTheReferenceHoldsWordingOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all recordings")
	}
	shared := testdata.Shared(t)
	for _, name := range []string{"mono", "poly", "wpml"} {
		p, err := Build(Options{
			Recordings: []string{filepath.Join(shared, "recordings", name, "*.jsonl.gz")},
			Site:       filepath.Join(shared, "sites", name+".json"),
			Merge:      []string{filepath.Join(shared, "vectors", "profile-blocks.json")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Warnings) > 0 {
			t.Errorf("%s: %v", name, p.Warnings)
		}
		own := p.Languages[wprest.DefaultLanguage]
		for section, n := range map[string]int{"errors": len(own.Errors), "args": len(own.Args), "doc": len(own.Doc), "words": len(own.Words), "blocks": len(own.Blocks)} {
			if n == 0 {
				t.Errorf("%s: no %s", name, section)
			}
		}
		own.each(func(s slot, text string) {
			if s.section == sectionErrors && !slices.ContainsFunc(Messages(), func(m Message) bool { return m.Key == s.key }) {
				t.Errorf("%s: %s is missing in the table of messages", name, s.key)
			}
			if strings.Contains(text, name+".example") || strings.Contains(text, "kalendar.example") {
				t.Errorf("%s: %s %s names the site: %q", name, s.section, s.key, diff.Head(text, 200))
			}
			if s.section == sectionErrors && strings.ContainsAny(text, "0123456789") && !strings.Contains(text, "&#82") {
				t.Errorf("%s: %s holds a number: %q", name, s.key, text)
			}
		})
	}
}
