package explain

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// languageParameters are the names of arguments that choose a language.
var languageParameters = []string{"lang", "language", "language_code", "wpml_language"}

// languageRoot matches the root of a language in a path.
var languageRoot = regexp.MustCompile(`^((?:/[^/?]+)*?)/[a-z]{2,3}(?:-[a-z]{2,4})?(` + recording.RESTRoot + `|/\?|/index\.php)`)

// languageArguments removes the argument that chooses a language from descriptions of routes
// of the target, if the reference describes it nowhere (known difference S8).
func (x *explaining) languageArguments(p *pair) {
	for _, name := range languageParameters {
		if strings.Contains(x.Recorded.Body, `"`+name+`"`) || !strings.Contains(x.Got.Body, `"`+name+`"`) {
			continue
		}
		removed := false
		p.got.root.Walk(func(n *jsontree.Node) {
			args := n.Member("args")
			if argument := args.Member(name); argument != nil {
				p.got.drops[argument], removed = true, true
				if len(args.Items) == 1 {
					p.got.changes[args] = "[]" // PHP's spelling of an object without members
				}
			}
		})
		if removed {
			p.add("S8", "$..args."+name, diff.Absent, "the argument "+name)
		}
	}
}

// language names the cause of known difference S8: the reference ignores a language root or
// parameter, or has no such root. The target must answer as recorded without it.
func (x *explaining) language(ctx context.Context) {
	if !x.Level.Safe() || x.Ask == nil || !x.left() {
		return
	}
	plain := withoutLanguage(x.Sent.Path)
	if plain == x.Sent.Path {
		return
	}
	request := x.Sent
	request.Path = plain
	answer, err := x.Ask(ctx, request)
	if err != nil {
		return
	}
	if x.Recorded.Status == 404 && x.Got.Status < 300 { // the theme's page for an unknown address
		if answer.Status == x.Got.Status && languageRoot.MatchString(x.Sent.Path) {
			x.all("S8")
		}
		return
	}
	other := x.asked
	other.Sent, other.Got = request, answer
	found, err := x.Compare(other.Recorded, answer)
	if err != nil || slices.ContainsFunc(Explain(ctx, other, found), open) {
		return
	}
	x.causes = slices.DeleteFunc(x.causes, func(d diff.Difference) bool { return !d.Cause.Explains() })
	x.all("S8")
}

// withoutLanguage returns a path without language root and parameters.
func withoutLanguage(path string) string {
	path = languageRoot.ReplaceAllString(path, "$1$2")
	path, query, found := strings.Cut(path, "?")
	if !found {
		return path
	}
	kept := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name, _, _ = strings.Cut(name, "[") // of a list
		return slices.Contains(languageParameters, name)
	})
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}
