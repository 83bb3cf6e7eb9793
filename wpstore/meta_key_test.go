package wpstore

import "testing"

// storedForms are values of metadata, one of each type that PHP stores or that migrations leave.
var storedForms = []struct {
	name string
	rows []MetaRow
}{
	{"no row", nil},
	{"NULL", []MetaRow{{Null: true}}},
	{"empty", []MetaRow{{Value: ""}}},
	{"zero", []MetaRow{{Value: "0"}}},
	{"one", []MetaRow{{Value: "1"}}},
	{"yes", []MetaRow{{Value: "yes"}}},
	{"decimal", []MetaRow{{Value: " 1.0"}}},
	{"null", []MetaRow{{Value: "N;"}}},
	{"true", []MetaRow{{Value: "b:1;"}}},
	{"integer", []MetaRow{{Value: "i:10;"}}},
	{"string", []MetaRow{{Value: `s:3:"yes";`}}},
	{"number", []MetaRow{{Value: `s:2:"18";`}}},
	{"empty array", []MetaRow{{Value: "a:0:{}"}}},
	{"array", []MetaRow{{Value: `a:2:{i:0;s:2:"CZ";i:1;s:2:"18";}`}}},
	{"nested", []MetaRow{{Value: "a:1:{i:0;a:1:{i:0;i:1;}}"}}},
	{"broken", []MetaRow{{Value: `s:9:"18";`}}},
	{"second row", []MetaRow{{Value: "yes"}, {Value: "0"}}},
}

// TestMetaKeys reads each key from each form of value, as fields and as structured data do.
func TestMetaKeys(t *testing.T) {
	yes := func(names ...string) map[string]bool {
		out := map[string]bool{}
		for _, name := range names {
			out[name] = true
		}
		return out
	}
	truths := map[MetaReading]map[string]bool{
		StoredTrue:     yes("no row", "NULL", "one", "yes", "decimal", "null", "true", "integer", "string", "number", "empty array", "array", "nested", "broken", "second row"),
		StoredOn:       yes("no row", "NULL", "one", "yes", "second row"),
		StoredSetting:  yes("one", "yes", "second row"),
		StoredYes:      yes("yes", "second row"),
		StoredOne:      yes("one", "decimal"),
		PrintedSetting: yes("one", "yes", "true", "string", "second row"),
	}
	// The texts of forms that differ from what is stored.
	printed := map[string]string{"null": "", "true": "1", "integer": "10", "string": "yes", "number": "18", "empty array": "Array", "array": "Array", "nested": "Array", "broken": ""}
	last := map[string]string{"empty array": "", "array": "18"}
	ids := map[string]int64{"one": 1, "decimal": 1, "true": 1, "integer": 10, "number": 18, "array": 1, "nested": 1}

	for i, rule := range metaRules {
		k := MetaKey(i)
		if rule.Key == "" || rule.Field == 0 && rule.Single == 0 || (rule.Field == 0) != (rule.FieldShown == "") || (rule.Single == 0) != (rule.SingleShown == "") {
			t.Errorf("key %d: an incomplete rule %+v", i, rule)
		}
		for _, form := range storedForms {
			rows := []MetaRow{{Key: rule.Key + "x", Value: "other"}}
			stored := ""
			for j := len(form.rows) - 1; j >= 0; j-- {
				stored = form.rows[j].Value
			}
			for _, r := range form.rows {
				r.Key = rule.Key
				rows = append(rows, r)
			}
			m := NewMeta(rows, Digest{})
			for part, read := range map[string]func(MetaKey) MetaValue{"field": m.Field, "single": m.Single} {
				as := rule.Field
				if part == "single" {
					as = rule.Single
				}
				if as == 0 || as >= Unserialized { // values and all rows are read by their users
					continue
				}
				t.Run(rule.Key+"/"+part+"/"+form.name, func(t *testing.T) {
					v := read(k)
					if want := form.name != "no row" && form.name != "NULL"; v.Present != want {
						t.Errorf("present: %v, want %v", v.Present, want)
					}
					want := stored
					if as >= Printed {
						if text, ok := printed[form.name]; ok {
							want = text
						}
						if text, ok := last[form.name]; ok && as == PrintedLast {
							want = text
						}
					}
					if v.Text() != want {
						t.Errorf("text %q, want %q", v.Text(), want)
					}
					if truth, ok := truths[as]; ok && v.Bool() != truth[form.name] {
						t.Errorf("true: %v, want %v", v.Bool(), truth[form.name])
					}
					if as == Cast && v.Int() != ids[form.name] {
						t.Errorf("integer %d, want %d", v.Int(), ids[form.name])
					}
				})
			}
		}
	}
}

// TestMetaKeysOnce checks that no two rules are for one key.
func TestMetaKeysOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range MetaRules() {
		if seen[rule.Key] {
			t.Errorf("%s has two rules", rule.Key)
		}
		seen[rule.Key] = true
	}
}

// TestReadingAllocatesNothing checks that a tidy value is read without an allocation.
func TestReadingAllocatesNothing(t *testing.T) {
	m := NewMeta([]MetaRow{{Key: "_thumbnail_id", Value: "401"}, {Key: "_EventTimezone", Value: "Europe/Prague"}}, Digest{})
	var id int64
	var text string
	if n := testing.AllocsPerRun(100, func() { id, text = m.Field(MetaThumbnail).Int(), m.Single(MetaTimezone).Text() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if id != 401 || text != "Europe/Prague" {
		t.Errorf("%d %q", id, text)
	}
}
