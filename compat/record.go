package compat

import (
	"calbridge/compat/recording"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// RecordOptions say what Record asks and where it writes. URL and Out are required.
type RecordOptions struct {
	// URL is the site: scheme, host, port, and the directory that it is in.
	URL string
	// Host asks the address of URL under another host name, such as a copy of a
	// site under the site's own name; with a scheme before it
	// ("https://town.example") that is told to the server too.
	Host string
	// Out is the file to write, JSON Lines. When it holds a recording that was
	// not finished, what it has is not asked again.
	Out string
	// Namespace is the REST namespace; "" means DefaultNamespace.
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
	// Gap is the least time between the two times that a request is asked, so that
	// what follows the clock is seen to change; 0 means 1.1 seconds, less than 0
	// none.
	Gap time.Duration
	// Timeout bounds one request; 0 means 60 seconds.
	Timeout time.Duration
	// MaxPages bounds each walk through pages, MaxItems the single items asked of
	// each collection, MaxPairs the pairs of parameters of each route; 0 means 30,
	// 20 and 40.
	MaxPages, MaxItems, MaxPairs int
	// UserAgent is told to the site; "" says that this is calbridge recording.
	UserAgent string
	// Profile is the file to write the site profile to; "" writes none.
	Profile string
	// Generator is noted in the recording and the profile.
	Generator string
	// Progress is called after every request, by one goroutine at a time.
	Progress func(RecordProgress)
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// RecordProgress is how far a recording is. Planned grows while it runs, because
// what is found in answers leads to more requests.
type RecordProgress struct {
	Done, Planned int
	// Resumed is the part of Done that was in the file already.
	Resumed int
	Current string // method and path
}

// RecordResult is what was recorded.
type RecordResult struct {
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

// Record records a running site: it reads the index of its namespace and asks
// every route, with parameters made of what the site's own answers hold, page by
// page, in every language, with wrong requests, as anonymous and as every login.
// Everything is asked twice, the second time when the clock has moved on, and what differs between the two answers becomes a
// noise rule. When it is interrupted, what it has stays in the file and the next
// call goes on from there.
//
// Unstable lists requests whose status changed between the two answers; they are
// left out. Leftover lists objects that were created with Writes and could not be
// deleted again.
func Record(ctx context.Context, o RecordOptions) (*RecordResult, error) {
	r, err := newRecorder(o)
	if err != nil {
		return nil, err
	}
	defer r.close()
	err = r.run(ctx)
	r.result.Requests = int(r.client.sent.Load())
	if err == nil && o.Profile != "" {
		err = r.profile()
	}
	return &r.result, err
}

// recorder is a recording in the making.
type recorder struct {
	RecordOptions
	client    *politeClient
	out       *recordingFile
	namespace string // with a slash before it
	prefix    string // directory of the site, without a slash at its end
	// languageArg is the argument for the language.
	languageArg string
	plain       bool // the site has no pretty permalinks: routes go into rest_route
	routes      []siteRoute
	values      *harvest
	seen        map[string]bool // keys of what was planned in this run
	progress    RecordProgress
	result      RecordResult
}

func newRecorder(o RecordOptions) (*recorder, error) {
	for _, limit := range []struct {
		value    *int
		standard int
	}{{&o.Concurrency, 2}, {&o.MaxPages, 30}, {&o.MaxItems, 20}, {&o.MaxPairs, 40}} {
		if *limit.value <= 0 {
			*limit.value = limit.standard
		}
	}
	if o.Delay == 0 {
		o.Delay = 100 * time.Millisecond
	}
	if o.Gap == 0 {
		o.Gap = 1100 * time.Millisecond
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	if o.Namespace == "" {
		o.Namespace = recording.DefaultNamespace
	}
	if o.UserAgent == "" {
		o.UserAgent = "calbridge-record (records the public calendar API, for comparison)"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Out == "" || strings.HasSuffix(o.Out, ".gz") {
		return nil, errors.New("record needs a file to write, not packed (--out FILE.jsonl): it goes on from that file when it is interrupted")
	}
	site, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	r := &recorder{RecordOptions: o, namespace: "/" + strings.Trim(o.Namespace, "/"), prefix: strings.TrimSuffix(site.Path, "/"),
		languageArg: languageArgs[0], values: newHarvest(), seen: map[string]bool{}}
	if r.client, err = newPoliteClient(o, site); err != nil {
		return nil, err
	}
	if r.out, err = openRecording(o.Out); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *recorder) close() {
	r.client.close()
	r.out.close()
}

// run asks stage by stage; each stage is planned from the answers to those before.
func (r *recorder) run(ctx context.Context) error {
	if r.out.finished {
		r.result.AlreadyFinished, r.result.Header = true, r.out.header
		return nil
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	for _, v := range r.views(ctx) {
		if err := r.recordView(ctx, v); err != nil {
			return err
		}
	}
	if r.Writes {
		if err := r.recordWrites(ctx); err != nil {
			return err
		}
	}
	return r.out.write(recording.Header{Format: recording.HeaderFormat, Finished: r.Now().UTC(), Exchanges: r.result.Exchanges})
}

func (r *recorder) profile() error {
	r.out.close()
	p, err := BuildProfile(ProfileOptions{Recordings: []string{globEscape(r.Out)}, Namespace: r.Namespace, Generator: r.Generator})
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	r.result.ProfileWarnings, r.result.ProfileLanguages = p.Warnings, len(p.Languages)
	return p.WriteFile(r.Profile)
}

// globEscape makes a pattern that matches this file only.
func globEscape(file string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(file)
}
