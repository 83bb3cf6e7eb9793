package rowedit

import "testing"

func TestReferences(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"Žluťoučký kůň ☀️ ♥":  "Žluťoučký kůň ☀️ ♥", // three bytes each
		"Párty 🎉 večer":       "Párty &#x1f389; večer",
		"Sál 🏛️":              "Sál &#x1f3db;&#xfe0f;",
		"👨\u200d👩\u200d👧!":    "&#x1f468;&#x200d;&#x1f469;&#x200d;&#x1f467;!",
		"👩\u200d❤️\u200d👨 ❤":  "&#x1f469;&#x200d;&#x2764;&#xfe0f;&#x200d;&#x1f468; ❤",
		"👩\u200dx\u200dy":     "&#x1f469;&#x200d;x\u200dy",
		"𠮷野家 \xff\xf0\x9f ab": "&#x20bb7;野家 \xff\xf0\x9f ab",
	} {
		if got := references(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
