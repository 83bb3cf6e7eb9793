package blockparse

import (
	"strings"
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/rest/wptext/texttest"
)

// FuzzBlocks checks that parsing loses no text: what is left are the comments.
func FuzzBlocks(f *testing.F) {
	for _, s := range texttest.ContentSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var text strings.Builder
		var collect func(list []*Block, depth int)
		collect = func(list []*Block, depth int) {
			if depth > maxDepth+1 {
				t.Fatal("nested too deep")
			}
			for _, b := range list {
				for _, p := range b.Parts {
					text.WriteString(p.Text)
					if p.Inner != nil {
						collect([]*Block{p.Inner}, depth+1)
					}
				}
			}
		}
		collect(Parse(s), 0)
		scanner := Scanner{S: s}
		var want strings.Builder
		pos, depth := 0, 0
		for {
			d, ok := scanner.Next(pos)
			if !ok || d.Closer && !d.Void && depth == 0 {
				break
			}
			want.WriteString(s[pos:d.Start])
			pos = d.End
			switch {
			case d.Void:
			case d.Closer:
				depth--
			default:
				depth++
			}
		}
		want.WriteString(s[pos:])
		if text.String() != want.String() {
			t.Errorf("%q\n got  %q\n want %q", s, text.String(), want.String())
		}
	})
}

// outline writes blocks as name(parts) and loose text as it is.
func outline(list []*Block) string {
	var sb strings.Builder
	for _, b := range list {
		if b.Name == "" {
			sb.WriteString(b.Text())
			continue
		}
		sb.WriteString(b.Name)
		if attrs := phpjson.Append(nil, b.Attrs); b.Attrs != nil {
			sb.Write(attrs)
		}
		if b.Void {
			sb.WriteString("/")
		}
		sb.WriteString("(")
		for _, p := range b.Parts {
			sb.WriteString(p.Text)
			if p.Inner != nil {
				sb.WriteString(outline([]*Block{p.Inner}))
			}
		}
		sb.WriteString(")")
	}
	return sb.String()
}

// TestParse: each form of a block comment.
func TestParse(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return outline(Parse(s)) },
		"", "", "text", "text",
		"a<!-- wp:p -->b<!-- /wp:p -->c", "acore/p(b)c", "<!-- wp:acme/x-1_y /-->", "acme/x-1_y/()",
		`<!-- wp:p {"a":{"b":[1,"}"]}} -->x<!-- /wp:p -->`, `core/p{"a":{"b":[1,"}"]}}(x)`,
		`<!-- wp:p {"a":1} /-->`, `core/p{"a":1}/()`, `<!-- wp:p {"a":} -->x<!-- /wp:p -->`, "core/p(x)", "<!-- wp:p {x} --><!-- /wp:p -->", "core/p()",
		"<!-- wp:a -->1<!-- wp:b -->2<!-- /wp:b -->3<!-- wp:c /-->4<!-- /wp:a -->", "core/a(1core/b(2)3core/c/()4)",
		"<!-- wp:a -->1<!-- wp:b -->2", "core/a(1core/b(2))", "<!-- wp:a -->1<!-- /wp:other -->2", "core/a(1)2",
		"x<!-- /wp:a -->y<!-- wp:b /-->", "x<!-- /wp:a -->y<!-- wp:b /-->",
		"<!--wp:a --><!-- wp:A --><!-- wp: --><!-- wp:a--><!-- wp:a/ --><!-- wp:a/1 --><!-- wp:a x -->", "<!--wp:a --><!-- wp:A --><!-- wp: --><!-- wp:a--><!-- wp:a/ --><!-- wp:a/1 --><!-- wp:a x -->",
		`<!-- wp:a {"b":1}--><!-- wp:c {`, `<!-- wp:a {"b":1}--><!-- wp:c {`, "<!--\n\twp:a\n{}\n/-->", "core/a[]/()", "<!-- /wp:a /-->", "core/a/()",
	)
	deep := strings.Repeat("<!-- wp:a -->", 100) + "x" + strings.Repeat("<!-- /wp:a -->", 100) + "y"
	if got, want := outline(Parse(deep)), strings.Repeat("core/a(", 64)+"x"+strings.Repeat(")", 64)+"y"; got != want {
		t.Errorf("a hundred deep: %s", got)
	}
}

func TestBlock(t *testing.T) {
	b := Parse(`<!-- wp:a {"b":{"c":"d"}} -->1<!-- wp:e /-->2<!-- /wp:a -->`)[0]
	if b.Text() != "12" || len(b.Inner()) != 1 || !b.HasInner() || b.AttrIn("b", "c") != "d" || b.AttrIn("b", "c", "x") != nil || b.Attr("x") != nil {
		t.Errorf("%+v", b)
	}
	const want = `{"blockName":"core\/a","attrs":{"b":{"c":"d"}},"innerBlocks":[{"blockName":"core\/e","attrs":[],"innerBlocks":[],` +
		`"innerHTML":"","innerContent":[]}],"innerHTML":"12","innerContent":["1",null,"2"]}`
	if got := string(phpjson.Append(nil, b.AsArray())); got != want {
		t.Errorf("as an array:\n %s\n want %s", got, want)
	}
	if name := Parse("text")[0].AsArray().At("blockName"); name != nil {
		t.Errorf("loose text is named %v", name)
	}
}
