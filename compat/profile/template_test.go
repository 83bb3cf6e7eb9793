package profile

import (
	"testing"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

func FuzzTemplate(f *testing.F) {
	f.Add("a, b and c", "a", "b", "c")
	f.Add("“x” „y“", "x", "y", "")
	f.Fuzz(func(t *testing.T, text, a, b, c string) {
		m := template{text: text, weight: 1}
		m.replaceFirst(a, "{a}")
		m.replaceLast(b, "{b}")
		m.replaceList([]string{a, b, c}, "{enum}")
		m.replaceQuoted("{slug}")
		m.replaceFields([]string{a, b, c})
		m.replaceType()
		rangeSeparator(text, a, b)
		voteMarkup(&votes{ballots: map[source]ballot{}}, source{}, text)
		request, _ := wprest.ReadRequest(recording.Request{Method: a, Path: text, Headers: map[string]string{"Content-Type": b}, Body: &c})
		request.ID()
		sourceOf(recording.Response{Headers: map[string]recording.HeaderValues{"link": {text}}}, request).code(a)
	})
}
