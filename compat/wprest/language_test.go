package wprest

import (
	"testing"

	"calbridge/compat/compattest"
)

func TestLanguageOf(t *testing.T) {
	for path, want := range map[string]string{
		"/wp-json/x": DefaultLanguage, "/en/wp-json/x": "en", "/blog/pt-br/wp-json/x": "pt-br", "/wp-json/x?lang=de": "de",
		"/de/?rest_route=/x": "de", "/index.php?rest_route=/x": DefaultLanguage, "/kalendar/wp-json/x": DefaultLanguage, "/wp-json/x?language_code=cs": "cs",
		"/wp-json/x?wpml_language=de": "de",
	} {
		if got := LanguageOf(compattest.Exchange("a", "GET", path, "")); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
