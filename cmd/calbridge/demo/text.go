package demo

import (
	"fmt"
	"io"
)

// Text is printed when the demo starts.
type Text struct {
	Home          string // URL of the site
	Path          string // path of the API
	LanguageParam string
	Password      string // application password of User
	Ops           string // URL of the ops listener, "" without one
	Keep          string // file of the calendar, "" for none
}

// example is a command to paste, with a description.
type example struct{ what, line string }

// root returns the URL of the API in a language. An empty language means the default.
func (d Text) root(language string) string {
	if language == "" {
		return d.Home + d.Path
	}
	return d.Home + "/" + language + d.Path
}

func (d Text) examples() []example {
	in := func(language, what, path string) example {
		return example{what, fmt.Sprintf("curl -s '%s%s'", d.root(language), path)}
	}
	get := func(what, path string) example { return in("", what, path) }
	as := func(what, path string) example {
		return example{what, fmt.Sprintf("curl -s -u %s '%s%s'", User, d.root(""), path)}
	}
	wanted := "&" + d.LanguageParam + "="
	return []example{
		get("the next three events, in Czech", "/events?per_page=3"),
		in("en", "in English", "/events?per_page=3"),
		in("de", "in German", "/events?per_page=3"),
		get("English from the Czech root, by the language parameter", "/events?per_page=3"+wanted+"en"),
		get("German categories likewise", "/categories?per_page=20"+wanted+"de"),
		get("featured events", "/events?featured=true&per_page=5"),
		get("a word", "/events?search=varhany&per_page=5"),
		in("en", "a word in English", "/events?search=organ&per_page=5"),
		get("a category, by its slug", "/events?categories=hudba&per_page=5"),
		in("de", "the same category in German, by its Czech slug", "/events?categories=hudba&per_page=5"),
		get("one event, by its slug", "/events/by-slug/letni-festival-lipa-v-kvetu"),
		get("venues with upcoming events", "/venues?only_with_upcoming=true&per_page=5"),
		get("organizers", "/organizers?per_page=5"),
		get("categories", "/categories?per_page=20&hide_empty=0"),
		get("tags", "/tags?per_page=20"),
		get("OpenAPI document", "/doc"),
		as("drafts, as administrator; curl prompts for the password below", "/events?status=draft&per_page=5"),
		{"headers only", fmt.Sprintf("curl -sI '%s/events?per_page=2'", d.root(""))},
	}
}

// Write prints the text.
func (d Text) Write(w io.Writer) {
	where := "in memory: gone when this stops"
	if d.Keep != "" {
		where = "in " + d.Keep
	}
	fmt.Fprintf(w, "The calendar of the little town of Lípa is being served (%s).\n\n", where)
	fmt.Fprintf(w, "Look at it in a browser, in Czech, English and German:\n  %s/\n\nOr paste a command:\n", d.Home)
	for _, e := range d.examples() {
		fmt.Fprintf(w, "  # %s\n  %s\n", e.what, e.line)
	}
	fmt.Fprintf(w, "\nThe administrator is %s with the application password '%s'.\n", User, d.Password)
	if d.Ops != "" {
		fmt.Fprintf(w, "Console: %s/console/\nMetrics: %[1]s/metrics\n", d.Ops)
	}
	fmt.Fprintln(w, "Stop with Ctrl-C.")
}
