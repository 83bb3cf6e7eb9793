package replay

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/rules"
	"calbridge/compat/wprest"
)

// JudgeOptions configure a Judge.
type JudgeOptions struct {
	// Level is how closely answers are compared; "" means LevelBytes.
	Level diff.Level
	// Rules define which differences to ignore, and which are known; see rules.Load.
	Rules *rules.File
	// Ignored are names of further answer headers to ignore, in lower case.
	Ignored []string
	// Compat is the --compat level of the server.
	Compat explain.Level
	// Namespace is that of the server's API.
	Namespace string
	// Now is the clock for expiry dates; nil means time.Now.
	Now func() time.Time
}

// Judge compares the answers of a running server one by one; package replay compares
// recordings. Judge is safe for concurrent use.
type Judge struct {
	differ    Differ
	ignored   []string // names of headers, in lower case
	level     explain.Level
	namespace wprest.Namespace
}

// NewJudge checks the options.
func NewJudge(o JudgeOptions) (*Judge, error) {
	level, err := diff.ParseLevel(string(o.Level))
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	set, err := rules.Compile(o.Rules, o.Now())
	if err != nil {
		return nil, err
	}
	return &Judge{differ: Differ{Level: level, Rules: set}, ignored: o.Ignored, level: o.Compat, namespace: wprest.NewNamespace(o.Namespace)}, nil
}

// Asker sends another request to the judged server as the sender of the exchange.
type Asker func(context.Context, recording.Request) (recording.Response, error)

// Evidence helps to tell causes of differences. Its zero value is none.
type Evidence struct {
	// Earlier is the server's answer to the same request from before the exchange's response.
	// Times that lie between the two answers of the server are no difference.
	Earlier *recording.Response
	// Ask asks the server; nil asks nobody.
	Ask Asker
}

// Judge compares an answer with the exchange's own response. The outcome is never Skipped.
// A known difference that does not occur is not a failure here, because requests arrive at
// random.
func (j *Judge) Judge(ctx context.Context, x *recording.Exchange, got recording.Response, e Evidence) (Outcome, []diff.Difference, error) {
	recorded := x.Response
	recorded.Headers, got.Headers = withoutPacking(recorded.Headers), withoutPacking(got.Headers)
	differences, err := j.differ.explained(ctx, x, explain.Case{Sent: x.Request, Recorded: recorded, Got: got, Level: j.level, Namespace: j.namespace, Ask: e.Ask, Earlier: e.Earlier}, false)
	if err != nil {
		return Same, nil, err
	}
	j.differ.Rules.Mark(x, differences)
	return OutcomeOf(differences), differences, nil
}

// withoutPacking removes Accept-Encoding, which compressing web servers add, from Vary.
func withoutPacking(headers map[string]recording.HeaderValues) map[string]recording.HeaderValues {
	values, found := headers["vary"]
	if !found {
		return headers
	}
	out := maps.Clone(headers)
	words := strings.FieldsFunc(strings.Join(values, ","), func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
	words = slices.DeleteFunc(words, func(word string) bool { return strings.EqualFold(word, "Accept-Encoding") })
	delete(out, "vary")
	if len(words) > 0 {
		out["vary"] = recording.HeaderValues{strings.Join(words, ", ")}
	}
	return out
}

// Exchange makes an exchange from a request that a server received and an answer to it,
// with the request headers that affect the answer. Headers that do not count are noise,
// also when the exchange is replayed. The id depends only on the request, not on its
// credentials. target comes from the request line; origin is the requested scheme and
// host.
func (j *Judge) Exchange(r *http.Request, target, origin string, response recording.Response, took time.Duration) *recording.Exchange {
	x := &recording.Exchange{As: recording.Anonymous, Request: recording.Request{Method: r.Method, Path: target, Headers: map[string]string{}}, Response: response,
		Origin: origin, TookMS: recording.Milliseconds(took)}
	for _, name := range []string{"Accept", "Accept-Language", "Authorization", "Content-Type", "Cookie", "Origin", "X-HTTP-Method-Override", "X-WP-Nonce"} {
		if values := r.Header.Values(name); len(values) > 0 {
			x.Request.Headers[name] = strings.Join(values, ", ")
		}
	}
	for _, name := range j.ignored {
		x.Noise = append(x.Noise, "headers."+name)
	}
	x.ID = "live-" + recording.RequestID(x.As, recording.RedactLive(x).Request)
	return x
}
