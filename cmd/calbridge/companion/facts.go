package companion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"calbridge/rest/notice"
)

// factsVersion is the version of the facts' format that this client and the plugin use.
const factsVersion = 1

// These limits apply to the hooks that one request may name. The plugin refuses more.
const (
	MaxHooks    = 200
	MaxHookName = 100
)

// ErrNoFacts is returned when WordPress has no route for facts: the plugin is not installed,
// is older than version 2, or has no secret.
var ErrNoFacts = notice.ErrNoFacts

// Facts holds what the companion plugin reported, validated; see [notice.SiteFacts].
type Facts notice.SiteFacts

// These types are parts of Facts.
type (
	Theme       = notice.Theme
	Uploads     = notice.Uploads
	ExcerptPost = notice.ExcerptPost
	Hook        = notice.Hook
	VisitorHook = notice.VisitorHook
	Problem     = notice.Problem
)

// Known reports whether the response has a fact without a problem, so that its zero value is
// meaningful. name is its JSON name.
func (f Facts) Known(name string) bool {
	return !slices.ContainsFunc(f.Problems, func(p Problem) bool { return p.Fact == name })
}

// Facts requests the facts of the running site, and the callbacks on the named hooks. It
// returns [ErrNoFacts] if WordPress has no such route.
func (c *Client) Facts(ctx context.Context, hooks []string) (Facts, error) {
	return c.ask(ctx, hooks)
}

// These are JSON names of facts.
const (
	codeFact       = "code"
	visitorsFact   = "visitors"
	shortcodesFact = "shortcodes"
	blocksFact     = "blocks"
)

// Code requests only [notice.SiteFacts.Code]. The fingerprints cover the callbacks on the
// named hooks. It returns [ErrNoCode] if the plugin's response has none.
func (c *Client) Code(ctx context.Context, hooks []string) (map[string]string, error) {
	facts, err := c.ask(ctx, hooks, codeFact)
	if err != nil {
		return nil, err
	}
	for _, p := range facts.Problems {
		if p.Fact == codeFact {
			return nil, fmt.Errorf("%w: %s", ErrNoCode, p.Problem)
		}
	}
	if facts.Code == nil {
		return nil, fmt.Errorf("%w: copy all calbridge-companion*.php files of this calbridge release to wp-content/mu-plugins", ErrNoCode)
	}
	return facts.Code, nil
}

// ErrNoCode is returned when the plugin doesn't report which code WordPress runs.
var ErrNoCode = errors.New("the companion plugin doesn't report which code WordPress runs")

// ask requests the facts named in only, or all facts if only is empty.
func (c *Client) ask(ctx context.Context, hooks []string, only ...string) (Facts, error) {
	if c == nil {
		return Facts{}, fmt.Errorf("no --upstream is configured: %w", ErrNoFacts)
	}
	query, err := factsQuery(hooks, only)
	if err != nil {
		return Facts{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.factsTimeout)
	defer cancel()
	text, err := c.QueryFacts(ctx, query)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("the companion plugin did not report its facts within %s: check whether PHP is overloaded or a plugin's filter hangs: %w", c.factsTimeout, err)
		}
		return Facts{}, err
	}
	return decodeFacts(text, hooks)
}

// factsQuery returns the body of a request for facts.
func factsQuery(hooks, only []string) ([]byte, error) {
	if len(hooks) > MaxHooks {
		return nil, fmt.Errorf("%d hook names, at most %d are allowed", len(hooks), MaxHooks)
	}
	for _, name := range hooks {
		if !hookName().MatchString(name) {
			return nil, fmt.Errorf("%.120q is not a hook name", name)
		}
	}
	if hooks == nil {
		hooks = []string{}
	}
	query := map[string]any{"hooks": hooks}
	if len(only) > 0 {
		query["only"] = only
	}
	return json.Marshal(query)
}

// decodeFacts decodes what the plugin has signed. Facts of a wrong type are an error, because
// no version of the plugin sends them. Missing and impossible values become problems.
func decodeFacts(text []byte, hooks []string) (Facts, error) {
	const update = "install the companion plugin of this calbridge release"
	var there map[string]json.RawMessage
	if err := json.Unmarshal(text, &there); err != nil {
		return Facts{}, fmt.Errorf("the companion plugin's facts are not a JSON object: %s: %w", update, err)
	}
	var version int
	if err := json.Unmarshal(there["version"], &version); err != nil || version != factsVersion {
		return Facts{}, fmt.Errorf("the companion plugin's facts have format %.20q, this calbridge reads format %d: %s", there["version"], factsVersion, update)
	}
	var f Facts
	if err := json.Unmarshal(text, &f); err != nil {
		return Facts{}, fmt.Errorf("the companion plugin's facts cannot be read: %s: %w", update, err)
	}
	for _, name := range factNames() {
		switch name {
		case codeFact, visitorsFact, shortcodesFact, blocksFact: // older plugins don't send these
			continue
		}
		if raw, ok := there[name]; f.Known(name) && (!ok || string(raw) == "null") {
			f.Problems = append(f.Problems, Problem{Fact: name, Problem: "is missing from the response"})
		}
	}
	f.validate(hooks)
	return f, nil
}

// factFields returns the fields of Facts in order, including those of embedded types but not
// the problems.
func factFields() []reflect.StructField {
	return slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[Facts]()), func(f reflect.StructField) bool {
		return f.Anonymous || f.Name == "Problems"
	})
}

// factNames returns the JSON names of the fields that factFields returns.
func factNames() []string {
	var names []string
	for _, f := range factFields() {
		names = append(names, f.Tag.Get("json"))
	}
	return names
}
