package fragment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
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

// strict reports whether encoding/json reads a text as one object, and the text keeps the additional
// rules of Split for JSON: UTF-8, nothing around the document, no member twice, a bounded depth.
func strict(text []byte) bool {
	if !json.Valid(text) || !utf8.Valid(text) || text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	type open struct {
		names  map[string]bool // nil for an array
		member bool            // the next token is the value of a member
	}
	var stack []open
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return errors.Is(err, io.EOF)
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if n := len(stack); n > 0 && stack[n-1].names != nil {
			if stack[n-1].member = !stack[n-1].member; stack[n-1].member {
				name := token.(string)
				if stack[n-1].names[name] {
					return false
				}
				stack[n-1].names[name] = true
				continue
			}
		}
		if len(stack) > maxDepth {
			return false
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, open{names: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, open{})
		}
	}
}

// idsIn returns the ids of the top-level objects of a strict document as encoding/json reads it. ok is
// false if it has none.
func idsIn(t *testing.T, text []byte) (ids []int64, ok bool) {
	t.Helper()
	id := func(object map[string]json.RawMessage) int64 {
		n, err := strconv.ParseInt(string(object["id"]), 10, 64)
		if err != nil {
			return 0
		}
		return max(n, 0)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if _, single := members["id"]; single {
		return []int64{id(members)}, id(members) > 0
	}
	var entries []json.RawMessage
	arrays := 0
	for _, value := range members {
		if value[0] == '[' {
			arrays++
			if err := json.Unmarshal(value, &entries); err != nil {
				t.Fatalf("%q: %v", value, err)
			}
		}
	}
	for _, raw := range entries {
		var entry map[string]json.RawMessage
		if json.Unmarshal(raw, &entry) != nil || id(entry) == 0 || slices.Contains(ids, id(entry)) {
			return nil, false
		}
		ids = append(ids, id(entry))
	}
	return ids, arrays == 1
}

// FuzzSplit checks that Split finds objects in exactly the documents that have some by encoding/json
// and the rules of strict, with the same ids and members.
func FuzzSplit(f *testing.F) {
	deep := func(n int) string { return `{"id":7,"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	for _, seed := range []string{
		`{"id":7}`, `{"events":[{"id":7},{"id":8,"a":{"id":9}}],"total":2}`, `{"a":"\ud800"}`, `{"events":[]}`, `{"id":1e2}`, `{"id":7,"id":8}`,
		`{"id":7,"\ud800":1,"\ufffd":2}`, `{"id":7,"a":{"b":1,"\u0062":2}}`, `{"id":7,"a":-0.5E+3}`, `{"id":7,"a":01}`, `{"id":7,"a":1.}`, `{"id":7,"a":"\u12"}`, "{\"id\":7,\"a\":\"\xff\"}",
		`{ "id" : 7 , "a" : [ ] , "b" : { } }`, `{"id":7,"a":[1,]}`, `{"id":7}}`, ` {"id":7}`, `{"id":[]}`, `{"id":-0,"events":[{"id":7}]}`, `{"events":[{"id":7},null]}`, deep(maxDepth), deep(maxDepth + 1), "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Split(text)
		if !strict(text) {
			if err == nil {
				t.Fatalf("%q was accepted", text)
			}
			return
		}
		ids, ok := idsIn(t, text)
		if ok != (err == nil) {
			t.Fatalf("%q: %v, but its objects are %v", text, err, ids)
		}
		if err != nil {
			return
		}
		objects := make([][]byte, d.Len())
		for i := range objects {
			objects[i] = d.at(i)
			var members map[string]json.RawMessage
			if err := json.Unmarshal(objects[i], &members); err != nil {
				t.Fatalf("%q: %v", objects[i], err)
			}
			if i >= len(ids) || d.objects[i].id != ids[i] {
				t.Fatalf("%q has the id %d, want one of %v", objects[i], d.objects[i].id, ids)
			}
			if names := membersOf(objects[i]); len(names) != len(members) {
				t.Fatalf("%q has %d members", objects[i], len(names))
			}
		}
		if len(objects) != len(ids) || !bytes.Equal(d.with(objects), text) {
			t.Fatalf("%q became %q", text, d.with(objects))
		}
	})
}
