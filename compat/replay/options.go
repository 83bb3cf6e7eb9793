package replay

import (
	"cmp"
	"io"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/rules"
)

// Options configure Compare. Target and Recordings are required.
type Options struct {
	// Target is the URL of the server to test: scheme, host and port.
	Target string
	// Recordings are file patterns of JSON Lines or HAR, compressed with gzip or not.
	Recordings []string
	// Site is the JSON file next to the recorded site's dump. Without it the home URL is
	// taken from the recordings' headers, or else from the recorded Link headers.
	Site string
	// Logins holds application passwords by login. They take precedence over those of
	// the site file.
	Logins map[string]string
	Selection
	// RecordedNamespace and TargetNamespace are the REST namespaces of the
	// recordings and of the target. The recordings' default to that in the header
	// of the first file, or else DefaultNamespace; the target's to the recordings'.
	RecordedNamespace, TargetNamespace string
	// Level is how closely answers are compared; "" means LevelBytes.
	Level diff.Level
	// Rules define which differences to ignore and which are known; see rules.Load.
	Rules *rules.File
	// Compat is the --compat level of the target, which decides what is intended;
	// explain.Unknown finds it out by the target's answers.
	Compat explain.Level
	// Strict fails the comparison for rules that were never used or have expired.
	Strict bool
	// Details collects the data for the HTML, JSON and JUnit reports.
	Details bool
	// Now is the clock for expiry dates and reports; nil means time.Now.
	Now func() time.Time
	// Concurrency is the number of connections to the target; 0 means 4.
	Concurrency int
	// Timeout is the timeout of one exchange; 0 means 30 seconds.
	Timeout time.Duration
	// FailFast stops at the first difference.
	FailFast bool
	// Out receives a line for every exchange with an unexplained difference of a new kind
	// while the comparison runs, in the order of the recordings. With Verbose it receives a line for every exchange, and
	// one for every difference. Nil means no output.
	Out     io.Writer
	Verbose bool
	// Progress, when not nil, is called with the number of bytes read and the total, one
	// call at a time.
	Progress func(done, total int64)
}

// completed fills in the defaults.
func (o Options) completed() Options {
	o.Concurrency = cmp.Or(max(o.Concurrency, 0), 4)
	o.Timeout = cmp.Or(max(o.Timeout, 0), 30*time.Second)
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
