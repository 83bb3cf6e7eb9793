package markup

import (
	"strings"
	"testing"
)

func TestSplitHTML(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"a<b c>d":               "a|<b c>|d",
		"<!--><b>":              "<!-->|<b>",
		"<!-- <b> -- > x":       "<!-- <b> -- > x",
		"<![CDATA[<a>]]>b<![CD": "<![CDATA[<a>]]>|b|<![CD",
	} {
		if got := strings.Join(Split(in), "|"); got != want {
			t.Errorf("SplitHTML(%q) = %q, want %q", in, got, want)
		}
	}
	for piece, tag := range Tokens("<![CDATA[<a>]]>", false) {
		if piece != "<![CDATA[<a>" || !tag {
			t.Errorf("without CDATA: %q %v", piece, tag)
		}
		break
	}
}
