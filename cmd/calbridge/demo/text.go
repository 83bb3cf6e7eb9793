package demo

import (
	"fmt"
	"io"
	"strings"
)

// Text is printed when the demo starts.
type Text struct {
	Home     string // URL of the site
	Path     string // path of the API
	Password string // application password of User
	Console  string // URL of the console, "" without one
	Keep     string // file of the calendar, "" for none
}

// Write prints the text in one piece: at most ten lines, the last of which is the address to
// open.
func (d Text) Write(w io.Writer) {
	where := "in memory: changes are gone when this stops"
	if d.Keep != "" {
		where = "in " + d.Keep
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nThe calendar of the little town of Lípa is being served (%s).\n", where)
	fmt.Fprintf(&b, "  curl -s '%s%s/events'\n", d.Home, d.Path)
	fmt.Fprintf(&b, "  curl -s '%s/en%s/events?search=organ'\n", d.Home, d.Path)
	fmt.Fprintf(&b, "  curl -s -u %s '%s%s/events?status=draft'\n", User, d.Home, d.Path)
	fmt.Fprintf(&b, "The administrator is %s with the application password '%s'.\n", User, d.Password)
	if d.Console != "" {
		fmt.Fprintf(&b, "Console: %s\n", d.Console)
	}
	fmt.Fprintf(&b, "Stop with Ctrl-C. Open this in a browser:\n  %s/\n", d.Home)
	_, _ = io.WriteString(w, b.String())
}
