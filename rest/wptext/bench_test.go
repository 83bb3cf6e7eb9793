package wptext_test

import (
	"strings"
	"testing"
)

const benchPlain = "An evening of chamber music in the old town hall of the city, with works by Martinu and Janacek. "

const benchRich = "<p>\"Rock'n'roll\" -- the band's 20th tour & more, 5'10\" tall, 3x4 m...</p>\n" +
	"<ul>\n<li>one - two</li>\n<li><a href=\"https://example.test/?a=1&b=2\">three</a></li>\n</ul>\n\nLast 'words'\nand [gallery ids=\"1\"] :)\n"

func benchmarkText(b *testing.B, text string, fn func(string) string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		fn(text)
	}
}

func BenchmarkText(b *testing.B) {
	plain, rich := strings.Repeat(benchPlain, 10), strings.Repeat(benchRich, 5)
	for _, name := range []string{"Texturize", "Autop", "Excerpt", "Title", "KsesPost", "EscHTML", "SanitizeTitle", "StripAllTags"} {
		b.Run(name+"/plain", func(b *testing.B) { benchmarkText(b, plain, textFunctions[name]) })
		b.Run(name+"/rich", func(b *testing.B) { benchmarkText(b, rich, textFunctions[name]) })
	}
}

// BenchmarkHostile shows that time grows with the length of the input alone:
// the speed at a megabyte is about that at 64 kilobytes.
func BenchmarkHostile(b *testing.B) {
	for _, unit := range []string{"<", `"`, "[", "&", "<p><li", "[gallery ", "<!-- >"} {
		for size, label := range map[int]string{1 << 16: "64k", 1 << 20: "1M"} {
			text := strings.Repeat(unit, size/len(unit))
			for _, name := range []string{"Texturize", "Autop", "KsesPost"} {
				b.Run(name+"/"+unit+"/"+label, func(b *testing.B) { benchmarkText(b, text, textFunctions[name]) })
			}
		}
	}
}
