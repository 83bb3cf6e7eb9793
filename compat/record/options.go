package record

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"calbridge/compat/recording"
)

// Options say what Record asks and where it writes. URL and Out are required.
type Options struct {
	// URL is the site: scheme, host, port, and the directory that it is in.
	URL string
	// Host asks the address of URL under another host name, such as a copy of a
	// site under the site's own name; a scheme before it ("https://town.example")
	// goes into X-Forwarded-Proto.
	Host string
	// Out is the file to write, JSON Lines, compressed if its name ends with .gz. An
	// unfinished recording in it is continued.
	Out string
	// Namespace is the REST namespace. "" means that of a recording that is continued, else
	// recording.DefaultNamespace, or where the site lacks it recording.CalbridgeNamespace.
	Namespace string
	// Logins are application passwords by login, for the roles to record.
	Logins map[string]string
	// Languages are language codes; nil means those that the index lists for a
	// language argument. Each is asked under its directory or, where the site has
	// none, with the argument.
	Languages []string
	// Writes allows requests that change the site: objects of its own are created,
	// changed and deleted as each login. Without it only GET, HEAD and OPTIONS
	// are sent.
	Writes bool
	// Concurrency is the number of connections, 0 meaning 2; Delay the time between
	// the starts of two requests, 0 meaning 100 ms and less than 0 none.
	Concurrency int
	Delay       time.Duration
	// Gap is the least time between the two answers to a request, so that values
	// that follow the clock differ; 0 means 1.1 seconds, less than 0 none.
	Gap time.Duration
	// Timeout bounds one request; 0 means 60 seconds.
	Timeout time.Duration
	// Profile is the file to write the site profile to; "" writes none.
	Profile string
	// Generator is noted in the recording and the profile.
	Generator string
	// Progress is called after every request, by one goroutine at a time.
	Progress func(Progress)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Progress is how far a recording is. Planned grows while it runs, because
// what is found in answers leads to more requests.
type Progress struct{ Done, Planned int }

// Result is what was recorded.
type Result struct {
	Header            recording.Header
	Exchanges, Cases  int
	Resumed           int
	Requests          int // sent, the repeated ones included
	Noisy             int // exchanges with noise rules
	Unstable          []string
	Leftover          []string
	ProfileWarnings   []string
	ProfileLanguages  int
	AlreadyFinished   bool
	LanguagesNotFound []string
}

// completed fills in the defaults.
func (o Options) completed() Options {
	o.Concurrency = cmp.Or(max(o.Concurrency, 0), 2)
	o.Delay = cmp.Or(o.Delay, 100*time.Millisecond)
	o.Gap = cmp.Or(o.Gap, 1100*time.Millisecond)
	o.Timeout = cmp.Or(max(o.Timeout, 0), time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// WriteSummary writes what was recorded, and what needs a look.
func (r *Result) WriteSummary(w io.Writer, o Options) {
	if r.AlreadyFinished {
		fmt.Fprintf(w, "%s: already finished, nothing was requested\n", o.Out)
	} else {
		fmt.Fprintf(w, "%s: %d exchanges (%d from before), %d write cases, %d with noise rules, %d requests sent\n", o.Out, r.Exchanges, r.Resumed, r.Cases, r.Noisy, r.Requests)
	}
	for _, request := range r.Unstable {
		fmt.Fprintln(w, "  left out, its status changes:", request)
	}
	for _, code := range r.LanguagesNotFound {
		fmt.Fprintf(w, "  language %s has no directory, recorded by the language argument\n", code)
	}
	for _, route := range r.Leftover {
		fmt.Fprintln(w, "  created but not deleted, please check:", route)
	}
	if r.ProfileLanguages > 0 {
		fmt.Fprintf(w, "%s: profile of %d languages\n", o.Profile, r.ProfileLanguages)
	}
	for _, warning := range r.ProfileWarnings {
		fmt.Fprintln(w, "  profile:", warning)
	}
}
