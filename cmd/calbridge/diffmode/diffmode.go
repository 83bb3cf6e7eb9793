// Package diffmode compares the answers of calbridge and WordPress in the diff modes, as
// `calbridge compare` does.
//
// It turns pairs of responses to one request into verdicts and, with a journal, into recordings
// of the requests that differ. The package connects rest/rollout, which sends the requests, with
// compat, which judges the responses. It must not import settings.
package diffmode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
	"calbridge/rest/api"
	"calbridge/rest/exporturl"
	"calbridge/rest/rollout"
	"calbridge/rest/tribev1"
)

// Config configures a Judge.
type Config struct {
	Settings settings.Compare
	// Header begins each file of recordings.
	Header recording.Header
	// Compat is the level in force. Under exact, HTTP caching, which the reference lacks, is a
	// difference.
	Compat explain.Level
	// Proving makes intended differences count, since mode auto answers as WordPress does.
	Proving        bool
	Namespace      string
	TrustedProxies []netip.Prefix
	// LanguageParam is the name of the parameter that chooses the language.
	LanguageParam string
	Logger        *slog.Logger
}

// Judge compares the responses of both sides with package compat and records differences. It
// implements rollout.Judge.
type Judge struct {
	judge   *replay.Judge
	journal *recording.Journal // nil if nothing is recorded
	trusted []netip.Prefix
	// parameters holds the parameters whose values may be recorded.
	parameters map[string]bool
	fields     *fields
	logger     *slog.Logger
	// failing is set while the last write to the journal has failed.
	failing atomic.Bool
}

// Open returns a Judge. Close closes its journal.
func Open(c Config) (*Judge, error) {
	o := replay.JudgeOptions{Level: c.Settings.Level, Compat: c.Compat, Namespace: c.Namespace}
	if c.Proving {
		o.Compat = explain.Exact
	}
	if c.Compat.Safe() {
		o.Ignored = []string{"cache-control", "etag", "last-modified", "vary"}
	}
	var err error
	if c.Settings.Rules != "" {
		if o.Rules, err = rules.Load(c.Settings.Rules); err != nil {
			return nil, fmt.Errorf("--compare-rules: %w", err)
		}
	}
	j := &Judge{trusted: c.TrustedProxies, parameters: tribev1.Parameters(c.LanguageParam), fields: newFields(time.Now), logger: c.Logger}
	for _, name := range exporturl.Arguments() {
		j.parameters[name] = true
	}
	if j.judge, err = replay.NewJudge(o); err != nil {
		return nil, fmt.Errorf("--compare-rules: %w", err)
	}
	if c.Settings.Journal != "" {
		if j.journal, err = recording.OpenJournal(c.Settings.Journal, c.Settings.JournalMax, c.Header); err != nil {
			return nil, fmt.Errorf("--compare-log: %w", err)
		}
	}
	return j, nil
}

// Close closes the journal. It may be called on a nil Judge.
func (j *Judge) Close() error {
	if j == nil || j.journal == nil {
		return nil
	}
	return j.journal.Close()
}

// Seen returns the fields in which responses have differed, the most frequent first. It may be
// called on a nil Judge.
func (j *Judge) Seen() []Field {
	if j == nil {
		return nil
	}
	return j.fields.list()
}

// exchange returns WordPress's response as a recording. It removes the values of arguments
// that the API doesn't have: they don't affect the response, and may be keys of other
// services.
func (j *Judge) exchange(p *rollout.Pair) *recording.Exchange {
	scheme := "http"
	if _, https := api.ClientIP(p.Request, j.trusted); https {
		scheme = "https"
	}
	theirs := response(p.Theirs)
	target := recording.RedactArguments(p.Request.RequestURI, func(name string) bool { return j.parameters[name] })
	return j.judge.Exchange(p.Request, target, scheme+"://"+p.Request.Host, theirs, p.Theirs.Took)
}

func (j *Judge) differences(ctx context.Context, p *rollout.Pair, x *recording.Exchange) (replay.Outcome, []diff.Difference, error) {
	var e replay.Evidence
	if p.Earlier != nil {
		earlier := response(p.Earlier)
		e.Earlier = &earlier
	}
	if p.Ask != nil {
		e.Ask = func(ctx context.Context, r recording.Request) (recording.Response, error) {
			answer, err := p.Ask(ctx, r.Path)
			if err != nil {
				return recording.Response{}, err
			}
			return response(answer), nil
		}
	}
	return j.judge.Judge(ctx, x, response(p.Ours), e)
}

// response returns a response as a recording. It drops the times at which cookies expire,
// because they depend on the second of the response.
func response(a *rollout.Answer) recording.Response {
	headers := recording.HeadersOf(a.Header)
	for i, cookie := range headers["set-cookie"] {
		name, attributes, _ := strings.Cut(cookie, "; expires=")
		_, attributes, _ = strings.Cut(attributes, ";")
		if name != cookie {
			headers["set-cookie"][i] = name + ";" + attributes
		}
	}
	return recording.Response{Status: a.Status, Headers: headers, Body: string(a.Body)}
}

// Compare implements rollout.Judge.
func (j *Judge) Compare(ctx context.Context, p *rollout.Pair) (rollout.Outcome, []string, error) {
	outcome, differences, err := j.differences(ctx, p, j.exchange(p))
	switch {
	case err != nil:
		return rollout.Incomplete, nil, err
	case outcome == replay.Same, outcome == replay.Headers, outcome == replay.Raced:
		return rollout.Same, nil, nil
	case outcome == replay.Known, outcome == replay.Intended:
		return rollout.Known, nil, nil
	}
	var kinds []string
	for _, d := range differences {
		kind := string(d.Level)
		if !d.Explained() && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return rollout.Different, kinds, nil
}

// Fields implements rollout.Judge.
func (j *Judge) Fields(ctx context.Context, p *rollout.Pair) []string {
	_, differences, _ := j.differences(ctx, p, j.exchange(p))
	var fields []string
	for _, d := range differences {
		field := strings.TrimSpace(string(d.Part) + " " + d.Where)
		if !d.Explained() && !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return fields
}

// Moved implements rollout.Judge.
func (j *Judge) Moved(earlier, later *rollout.Answer) bool {
	return earlier.Status == later.Status && explain.Moved(string(earlier.Body), string(later.Body))
}

// Record implements rollout.Judge. It logs where the responses differ, but not the values,
// which may be confidential.
func (j *Judge) Record(ctx context.Context, p *rollout.Pair, kinds []string) {
	x := j.exchange(p)
	_, differences, err := j.differences(ctx, p, x)
	j.fields.add(p.Route, differences)
	var where []string
	for _, d := range differences {
		if !d.Explained() && len(where) < 5 {
			where = append(where, strings.TrimSpace(string(d.Part)+" "+d.Where))
		}
	}
	if j.journal != nil {
		err = errors.Join(err, j.journal.Append(x))
	}
	j.logger.Warn("answers differ", "id", x.ID, "method", p.Request.Method, "path", logging.Path(p.Request.URL.Path), "route", p.Route,
		"ours", p.Ours.Status, "theirs", p.Theirs.Status, "kinds", strings.Join(kinds, " "), "where", strings.Join(where, ", "))
	failed := err != nil
	if j.failing.Swap(failed) != failed && failed {
		j.logger.Error("a difference could not be recorded", "err", err)
	}
}
