package wprest

import (
	"strings"

	"calbridge/compat/recording"
)

// DefaultLanguage is the name of the language of a site's own root.
const DefaultLanguage = "default"

// LanguageArgs returns the names that sites use for a language argument. The last one is
// WPML's.
func LanguageArgs() []string {
	return []string{"lang", "language", "language_code", "wpml_language"}
}

// LanguageOf returns the language that an exchange's request selects, by the directory
// before the REST root or by a language argument.
func LanguageOf(x *recording.Exchange) string {
	path, query, _ := strings.Cut(x.Request.Path, "?")
	pairs := recording.ParsePairs(query)
	for _, name := range LanguageArgs() {
		if lang := pairs.Get(name); lang != "" && len(lang) <= 12 {
			return lang
		}
	}
	before, _, found := strings.Cut(path, recording.RESTRoot)
	if !found {
		before = strings.TrimSuffix(strings.TrimSuffix(path, "/"), "/index.php")
	}
	before = strings.Trim(before, "/")
	if segment := before[strings.LastIndexByte(before, '/')+1:]; LanguageLike(segment) {
		return segment
	}
	return DefaultLanguage
}

// LanguageLike reports whether a directory looks like a language: "en" or "pt-br".
func LanguageLike(segment string) bool {
	code, region, _ := strings.Cut(strings.ReplaceAll(segment, "_", "-"), "-")
	return (len(code) == 2 || len(code) == 3) && len(region) <= 4 && strings.Trim(ASCIILower(code+region), "abcdefghijklmnopqrstuvwxyz") == ""
}
