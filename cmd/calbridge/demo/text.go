package demo

import (
	"fmt"
	"io"
)

// Text is printed when the demo starts.
type Text struct {
	Home     string // URL of the site
	Path     string // path of the API
	Password string // application password of User
	Console  string // URL of the console, "" without one
	Keep     string // file of the calendar, "" for none
}

// Write prints the text: at most ten lines, the last of which is the address to open.
func (d Text) Write(w io.Writer) {
	where := "in memory: changes are gone when this stops"
	if d.Keep != "" {
		where = "in " + d.Keep
	}
	fmt.Fprintf(w, "\nThe calendar of the little town of Lípa is being served (%s).\n", where)
	fmt.Fprintf(w, "  curl -s '%s%s/events'\n", d.Home, d.Path)
	fmt.Fprintf(w, "  curl -s '%s/en%s/events?search=organ'\n", d.Home, d.Path)
	fmt.Fprintf(w, "  curl -s -u %s '%s%s/events?status=draft'\n", User, d.Home, d.Path)
	fmt.Fprintf(w, "The administrator is %s with the application password '%s'.\n", User, d.Password)
	if d.Console != "" {
		fmt.Fprintf(w, "Console: %s\n", d.Console)
	}
	fmt.Fprintf(w, "Stop with Ctrl-C. Open this in a browser:\n  %s/\n", d.Home)
}
