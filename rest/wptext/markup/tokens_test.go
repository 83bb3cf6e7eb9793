package markup

import (
	"strings"
	"testing"
)

func TestTokens(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"a<b c>d":               "a|<b c>|d",
		"<!--><b>":              "<!-->|<b>",
		"<!-- <b> -- > x":       "<!-- <b> -- > x",
		"<![CDATA[<a>]]>b<![CD": "<![CDATA[<a>]]>|b|<![CD",
	} {
		var pieces []string
		for piece := range Tokens(in, true) {
			pieces = append(pieces, piece)
		}
		if got := strings.Join(pieces, "|"); got != want {
			t.Errorf("Tokens(%q) = %q, want %q", in, got, want)
		}
	}
	for piece, tag := range Tokens("<![CDATA[<a>]]>", false) {
		if piece != "<![CDATA[<a>" || !tag {
			t.Errorf("without CDATA: %q %v", piece, tag)
		}
		break
	}
}
