package fragment

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSplit checks which documents have objects, and which are refused.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string // the objects; nil if the document is refused
	}{
		{"one object", `{"id":7,"title":"Fair","tags":[{"id":3}]}`, []string{`{"id":7,"title":"Fair","tags":[{"id":3}]}`}},
		{"a list", `{"events":[{"id":7,"venue":{"id":1}},{"id":8}],"total":2}`, []string{`{"id":7,"venue":{"id":1}}`, `{"id":8}`}},
		{"a list behind other members", `{"rest_url":"https:\/\/a.example","total":1,"tags":[{"id":7}]}`, []string{`{"id":7}`}},
		{"an empty list", `{"events":[],"total":0}`, []string{}},
		{"white space within", "{ \"events\" : [ {\"id\": 7} ] }", []string{`{"id": 7}`}},
		{"all kinds of values", `{"id":7,"a":[true,false,null,-0.5e+3,0,"\u00e9\n\/"],"b":{}}`, []string{`{"id":7,"a":[true,false,null,-0.5e+3,0,"\u00e9\n\/"],"b":{}}`}},
		{name: "no list", text: `{"total":0}`},
		{name: "two lists", text: `{"events":[{"id":7}],"more":[]}`},
		{name: "a list as an object", text: `{"events":{"0":{"id":7},"2":{"id":8}},"total":2}`},
		{name: "an array", text: `[{"id":7}]`},
		{name: "an entry that isn't an object", text: `{"events":[{"id":7},8]}`},
		{name: "an entry without an id", text: `{"events":[{"title":"Fair"}]}`},
		{name: "an id that is a text", text: `{"events":[{"id":"7"}]}`},
		{name: "a negative id", text: `{"events":[{"id":-7}]}`},
		{name: "a list with an id of 0", text: `{"id":0,"events":[{"id":7}]}`},
		{name: "the same entry twice", text: `{"events":[{"id":7},{"id":7}]}`},
		{name: "a member twice", text: `{"id":7,"title":"a","title":"b"}`},
		{name: "a member twice, once escaped", text: `{"id":7,"title":"a","\u0074itle":"b"}`},
		{name: "a nested member twice", text: `{"id":7,"venue":{"id":1,"id":2}}`},
		{name: "a member twice among many", text: manyMembers(200, 150)},
		{name: "a member twice among few", text: manyMembers(40, 3)},
		{"many members", manyMembers(200, -1), []string{manyMembers(200, -1)}},
		{name: "text before", text: "Warning: a notice\n" + `{"id":7}`},
		{name: "text after", text: `{"id":7}<!-- cached -->`},
		{name: "white space after", text: `{"id":7}` + "\n"},
		{name: "a byte order mark", text: "\ufeff" + `{"id":7}`},
		{name: "cut off", text: `{"events":[{"id":7}`},
		{name: "cut off in a string", text: `{"id":7,"title":"Fa`},
		{name: "a trailing comma", text: `{"id":7,}`},
		{name: "a leading zero", text: `{"id":07}`},
		{name: "a control character", text: "{\"id\":7,\"a\":\"\x01\"}"},
		{name: "invalid UTF-8", text: "{\"id\":7,\"a\":\"\xff\"}"},
		{name: "an invalid escape", text: `{"id":7,"a":"\x"}`},
		{name: "too deep", text: `{"id":7,"a":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`},
		{name: "nothing", text: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := Split([]byte(c.text))
			if c.want == nil {
				if err == nil {
					t.Fatalf("accepted with %d objects", d.Len())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for i := range d.Len() {
				got = append(got, string(d.at(i)))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// manyMembers returns an object with n members, whose last one has the name of another, or its own if
// that is negative.
func manyMembers(n, again int) string {
	text := `{"id":7`
	for i := range n {
		text += fmt.Sprintf(`,"m%d":0`, i)
	}
	if again < 0 {
		again = n
	}
	return text + fmt.Sprintf(`,"m%d":0}`, again)
}

// TestSplice checks when WordPress's objects may stand in our response, and that all that is
// outside of them stays ours.
func TestSplice(t *testing.T) {
	ours := `{"events":[{"id":7,"title":"Fair"},{"id":8}],"total":2}`
	for _, c := range []struct{ name, theirs, want string }{
		{"more members", `{"events":[{"id":7,"title":"Fair","dress":"black"},{"id":8,"a":[1]}],"total":3}`, `{"events":[{"id":7,"title":"Fair","dress":"black"},{"id":8,"a":[1]}],"total":2}`},
		{"another order", `{"events":[{"id":8},{"id":7}],"total":2}`, ""},
		{"fewer objects", `{"events":[{"id":7}],"total":2}`, ""},
		{"another list", `{"venues":[{"id":7},{"id":8}],"total":2}`, ""},
		{"one object", `{"id":7}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := Splice(mustSplit(t, ours), mustSplit(t, c.theirs))
			if string(got) != c.want || ok != (c.want != "") {
				t.Errorf("%q, %t", got, ok)
			}
		})
	}
}

func mustSplit(t testing.TB, text string) *Document {
	t.Helper()
	d, err := Split([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

// TestDiffering checks the names of members that differ.
func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       []string
		markup     bool
	}{
		{name: "the same", a: `{"id":7}`, b: `{"id":7}`},
		{name: "another value", a: `{"id":7,"cost":"5"}`, b: `{"id":7,"cost":"6"}`, want: []string{"cost"}},
		{name: "added and removed", a: `{"id":7,"b":1}`, b: `{"id":7,"a":1}`, want: []string{"a", "b"}},
		{name: "markup", a: `{"id":7}`, b: `{"id":7,"text":"<p>"}`, want: []string{"text"}, markup: true},
		{name: "escaped markup", a: `{"id":7}`, b: `{"id":7,"text":"\u003Cp\u003e"}`, want: []string{"text"}, markup: true},
		{name: "another order", a: `{"id":7,"a":1}`, b: `{"a":1,"id":7}`, want: []string{orderOf}, markup: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, markup := differing([]byte(c.a), []byte(c.b)); !slices.Equal(got, c.want) || markup != c.markup {
				t.Errorf("%q %t", got, markup)
			}
		})
	}
}

// TestNumbersIn checks that ids of nested objects are found, as numbers and as texts.
func TestNumbersIn(t *testing.T) {
	found := numbersIn([]byte(`{"id":7,"author":"12","venue":{"id": 3},"tags":[4,5],"url":"a-99"}`))
	for _, id := range []int64{7, 12, 3, 4, 5} {
		if !found[id] {
			t.Errorf("%d is missing", id)
		}
	}
	if found[99] {
		t.Error("part of a word counts")
	}
}

// FuzzSplit checks that Split accepts only JSON, and finds only objects with the ids that
// encoding/json reads.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{`{"id":7}`, `{"events":[{"id":7},{"id":8,"a":{"id":9}}],"total":2}`, `{"a":"\ud800"}`, `{"events":[]}`, `{"id":1e2}`, `{"id":7,"id":8}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Split(text)
		if err != nil {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON", text)
		}
		objects := make([][]byte, d.Len())
		for i := range objects {
			objects[i] = d.at(i)
			var decoded struct{ ID json.Number }
			var members map[string]json.RawMessage
			if err := json.Unmarshal(objects[i], &members); err != nil {
				t.Fatalf("%q: %v", objects[i], err)
			}
			if err := json.Unmarshal(members["id"], &decoded.ID); err != nil {
				t.Fatalf("%q: %v", objects[i], err)
			}
			if id, err := decoded.ID.Int64(); err != nil || id != d.objects[i].id {
				t.Fatalf("%q has the id %d", objects[i], d.objects[i].id)
			}
			if names := membersOf(objects[i]); len(names) != len(members) {
				t.Fatalf("%q has %d members", objects[i], len(names))
			}
		}
		if !bytes.Equal(d.with(objects), text) {
			t.Fatalf("%q became %q", text, d.with(objects))
		}
	})
}
