package record

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"time"

	"calbridge/compat/profile"
	"calbridge/compat/recording"
)

// Options configure Record. URL and Out are required.
type Options struct {
	// URL is the address of the site: scheme, host, port and directory.
	URL string
	// Host is a different host name to send to the address of URL, such as the site's
	// own name for a copy of the site. A scheme before it ("https://town.example") goes
	// into X-Forwarded-Proto.
	Host string
	// Out is the JSON Lines file to write, compressed if its name ends with .gz. An
	// unfinished recording in it is continued.
	Out string
	// Namespace is the REST namespace. "" means that of the continued recording, else
	// recording.DefaultNamespace, or recording.CalbridgeNamespace if the site lacks it.
	Namespace string
	// Logins holds application passwords by login, for the roles to record.
	Logins map[string]string
	// User is a login for the messages that anonymous visitors don't get, and Password its
	// application password. As this user, the recorder searches lists and sends requests
	// that the site refuses before it writes. A finished recording is extended by them.
	User, Password string
	// Languages are language codes; nil means those that the index lists for a language
	// argument. Each is requested under its directory or, where the site has none, with
	// the argument.
	Languages []string
	// Writes allows requests that change the site: as each login, the recorder creates,
	// changes and deletes its own objects. Without Writes it sends only GET, HEAD and
	// OPTIONS, and requests that the site refuses before it writes.
	Writes bool
	// Concurrency is the number of connections; 0 means 2. Delay is the time between the
	// starts of two requests; 0 means 100 ms, a negative value none.
	Concurrency int
	Delay       time.Duration
	// Gap is the minimum time between the two answers to a request, so that values that
	// follow the clock differ; 0 means 1.1 seconds, a negative value none.
	Gap time.Duration
	// Timeout is the timeout of one request; 0 means 60 seconds.
	Timeout time.Duration
	// Profile is the file to write the site profile to; "" writes none.
	Profile string
	// Generator is noted in the recording and the profile.
	Generator string
	// Agent begins the User-Agent; "calbridge-record" if empty.
	Agent string
	// Progress is called after every request, by one goroutine at a time.
	Progress func(Progress)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Progress describes how far a recording has come. Planned grows during the run, because
// values found in answers lead to more requests.
type Progress struct{ Done, Planned int }

// Result describes what was recorded.
type Result struct {
	Header            recording.Header
	Exchanges, Cases  int
	Refused           int // requests for messages that are recorded as cases
	Resumed           int
	Requests          int // sent, the repeated ones included
	Noisy             int // exchanges with noise rules
	Unstable          []string
	Leftover          []string
	ProfileWarnings   []string
	ProfileLanguages  int
	AlreadyFinished   bool
	LanguagesNotFound []string
	// Missing are messages of the reference that the recording lacks.
	Missing []profile.Message
	// Unrefused are requests that the site should have refused.
	Unrefused []string
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

// logins returns the application passwords of all logins.
func (o Options) logins() map[string]string {
	all := map[string]string{}
	maps.Copy(all, o.Logins)
	if o.User != "" {
		all[o.User] = o.Password
	}
	return all
}

// WriteSummary writes a summary of the recording and everything that needs attention.
func (r *Result) WriteSummary(w io.Writer, o Options) {
	if r.AlreadyFinished {
		fmt.Fprintf(w, "%s: already finished, nothing was requested\n", o.Out)
	} else {
		fmt.Fprintf(w, "%s: %d exchanges (%d from before), %d write cases, %d refused requests, %d with noise rules, %d requests sent\n", o.Out, r.Exchanges, r.Resumed, r.Cases, r.Refused, r.Noisy, r.Requests)
	}
	for _, request := range r.Unstable {
		fmt.Fprintln(w, "  left out because its status changes:", request)
	}
	for _, code := range r.LanguagesNotFound {
		fmt.Fprintf(w, "  language %s has no directory, recorded by the language argument\n", code)
	}
	for _, route := range r.Leftover {
		fmt.Fprintln(w, "  created but not deleted, please check:", route)
	}
	for _, request := range r.Unrefused {
		fmt.Fprintln(w, "  not refused as expected, please check:", request)
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(w, "%d of the site's messages are not recorded; calbridge has its own for them:\n", len(r.Missing))
		for _, line := range profile.DescribeMissing(r.Missing, o.User != "") {
			fmt.Fprintln(w, "  "+line)
		}
	}
	if r.ProfileLanguages > 0 {
		fmt.Fprintf(w, "%s: profile of %d languages\n", o.Profile, r.ProfileLanguages)
	}
	for _, warning := range r.ProfileWarnings {
		fmt.Fprintln(w, "  profile:", warning)
	}
}
