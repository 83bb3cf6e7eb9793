package content

import (
	"strings"
	"testing"

	"calbridge/rest/wptext/texttest"
)

func TestExcerpt(t *testing.T) {
	opt := ExcerptOptions{
		UseSmilies: true, SiteURL: "https://a.example",
		FixHomeURL: func(s string) string { return SecureHomeURL(s, "https://a.example") },
		TagFilter:  func(s string) string { return strings.ReplaceAll(s, "<img", "<img x") },
	}
	texttest.CheckPairs(t, func(s string) string { return Excerpt(s, opt) },
		"", "", "Wordpress :)\n& <img> http://a.example/", "<p>Wordpress 🙂<br />\n&#038; <img x> https://a.example/</p>")
	texttest.CheckPairs(t, func(s string) string { return Excerpt(s, ExcerptOptions{}) }, ":)", "<p>:)</p>")
}

func TestSecureHomeURL(t *testing.T) {
	texttest.CheckPairs(t, func(s string) string { return SecureHomeURL(s, "https://a.example/x") },
		`http://a.example/x/y http:\/\/a.example\/x http://b.example/`, `https://a.example/x/y https:\/\/a.example\/x http://b.example/`)
}
