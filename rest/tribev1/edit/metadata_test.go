package edit

import (
	"fmt"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// TestMetaText pins the form of texts in metadata, without and with the block editor.
func TestMetaText(t *testing.T) {
	for _, c := range []struct{ text, plain, blocks, field string }{
		{"Hall 3", "Hall 3", "Hall 3", "Hall 3"},
		{"<b>Hall</b> &amp; co", "Hall & co", "Hall & co", "Hall &amp; co"},
		{"&lt;i&gt;Hall", "Hall", "Hall", "&lt;i&gt;Hall"},
		{`a\\b\'c`, `a\b'c`, `a\b'c`, `a\b'c`},
		{"  two\nlines ", "  two\nlines ", "two lines", "two lines"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if plain, blocks, field := metaText(false).plain(c.text), metaText(true).plain(c.text), metaText(false).field(c.text); plain != c.plain || blocks != c.blocks || field != c.field {
				t.Errorf("%q, with blocks %q, field %q", plain, blocks, field)
			}
		})
	}
}

// TestRegion pins the state or province that a venue gets.
func TestRegion(t *testing.T) {
	for _, c := range []struct {
		in   []any
		want string
	}{
		{nil, ""},
		{[]any{"stateprovince", "Given", "state", "Ohio"}, "Given"},
		{[]any{"stateprovince", "", "state", "Ohio"}, "Ohio"},
		{[]any{"state", "Ohio", "country", "US"}, "Ohio"},
		{[]any{"state", "Ohio", "country", "United States", "province", "Moravia"}, "Ohio"},
		{[]any{"state", "Ohio", "country", "Czechia", "province", "Moravia"}, "Moravia"},
		{[]any{"state", "Ohio", "country", "Czechia"}, ""},
		{[]any{"province", "Moravia"}, "Moravia"},
	} {
		t.Run(fmt.Sprint(c.in), func(t *testing.T) {
			in := api.Object(c.in...)
			m := linkedMeta{in: func(name string) php.Value { return in.At(name) }, words: api.NewWording(nil, "en", nil)}
			if got := php.ToString(m.region()); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestFlag pins the stored form of a venue's yes and no.
func TestFlag(t *testing.T) {
	for _, c := range []struct {
		v             php.Value
		plain, blocks string
	}{{nil, "1", "1"}, {"yes", "1", "1"}, {true, "1", "1"}, {"false", "false", ""}, {"", "false", ""}, {false, "false", ""}} {
		t.Run(fmt.Sprint(c.v), func(t *testing.T) {
			in := func(string) php.Value { return c.v }
			plain, blocks := linkedMeta{in: in}, linkedMeta{in: in, text: true}
			if plain.flag("show_map") != c.plain || blocks.flag("show_map") != c.blocks {
				t.Errorf("%q, with blocks %q", plain.flag("show_map"), blocks.flag("show_map"))
			}
		})
	}
}

// TestWebsite pins the characters that an event's address keeps.
func TestWebsite(t *testing.T) {
	for given, want := range map[string]string{"https://a.example/x?y=1&z=2": "https://a.example/x?y=1&z=2", " https://a.example/\t\u00e9\u200b ": "https://a.example/", "": ""} {
		t.Run(given, func(t *testing.T) {
			m := eventMeta{in: &api.Params{JSON: api.Object("website", given)}}
			if got := m.website(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
