package profile

import (
	"strings"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// source identifies where the wording of an answer comes from.
type source struct {
	// home is the home URL that was in force while the request was answered: the
	// site's own, or below it the directory of a language.
	home string
	// language is the code that the answer names in addition. If asked is true, it is
	// the code that the request selected with an argument.
	language string
	asked    bool
}

// sourceOf derives the source from an answer's Link header and the request.
func sourceOf(response recording.Response, request wprest.Request) source {
	link := response.Header("link")
	from := source{home: recording.HomeOfLink(link)}
	_, query, _ := strings.Cut(recording.RESTRootOfLink(link), "?")
	from.language = recording.ParsePairs(query).Get("lang")
	if from.language != "" {
		return from
	}
	for _, name := range wprest.LanguageArgs() {
		if code := request.Query.Get(name); wprest.LanguageLike(code) {
			from.language, from.asked = code, true
			break
		}
	}
	return from
}

// code returns the language code of the source; home is the site's home URL.
func (s source) code(home string) string {
	if s.language != "" {
		return s.language
	}
	_, own, _ := strings.Cut(s.home, "://")
	_, home, _ = strings.Cut(home, "://")
	rest, below := strings.CutPrefix(own, strings.TrimSuffix(home, "/")+"/")
	if !below || rest == "" || strings.Contains(rest, "/") {
		return wprest.DefaultLanguage
	}
	return rest
}
