package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// ownTitle names the objects that a recording creates, so that a person who finds
// one knows what it is.
const ownTitle = "calbridge-record test object, may be deleted"

// recordWrites creates, changes and deletes objects of its own, as every login
// and on every collection that takes POST. Each sequence is done twice, and
// recorded as a write case.
func (r *recorder) recordWrites(ctx context.Context) error {
	for _, login := range slices.Sorted(maps.Keys(r.Logins)) {
		for i := range r.routes {
			s := &r.routes[i]
			item := r.itemRoute(s)
			if !s.static() || !s.writes || s.pattern == "" || item == nil {
				continue
			}
			id := "writes-" + strings.ReplaceAll(strings.Trim(s.pattern, "/"), "/", "-") + "-" + login
			if r.out.cases[id] {
				continue
			}
			first, err := r.sequence(ctx, login, s, item)
			if err != nil {
				return err
			}
			second, err := r.sequence(ctx, login, s, item)
			if err != nil {
				return err
			}
			c := &recording.Case{ID: id, As: login, Steps: first, Rows: map[string]recording.TableChange{}}
			for k := range c.Steps {
				x := c.Exchange(k)
				if k < len(second) {
					x.Noise = noiseBetween(x, second[k].Response)
				}
				kept := recording.Redact(x, r.secrets())
				c.Steps[k].Request, c.Steps[k].Response, c.Steps[k].Noise = kept.Request, kept.Response, kept.Noise
			}
			if err := r.out.write(c); err != nil {
				return err
			}
			r.result.Cases++
		}
	}
	return nil
}

// itemRoute is the route of one object of a collection, by its id.
func (r *recorder) itemRoute(s *siteRoute) *siteRoute {
	for i := range r.routes {
		before, name, after, ok := r.routes[i].variable()
		if ok && name == "id" && after == "" && before == s.pattern+"/" && r.routes[i].removes {
			return &r.routes[i]
		}
	}
	return nil
}

// sequence creates an object, changes it, reads it and deletes it. When it could
// not be created there is one step only.
func (r *recorder) sequence(ctx context.Context, login string, s, item *siteRoute) ([]recording.Step, error) {
	var steps []recording.Step
	send := func(method, route string, body map[string]string) (recording.Response, error) {
		request := recording.Request{Method: method, Path: r.path(view{}, route, ""), Headers: map[string]string{}}
		if body != nil {
			data, err := json.Marshal(body)
			if err != nil {
				return recording.Response{}, err
			}
			text := string(data)
			request.Body, request.Headers["Content-Type"] = &text, "application/json"
		}
		answer, _, err := r.client.ask(ctx, login, request)
		if err != nil {
			return recording.Response{}, fmt.Errorf("%s %s: %w", method, request.Path, err)
		}
		steps = append(steps, recording.Step{Request: request, Response: answer})
		return answer, nil
	}
	created, err := send(http.MethodPost, s.pattern, ownObject(s))
	if err != nil {
		return steps, err
	}
	root, parseErr := jsontree.Parse(created.Body)
	id := root.Member("id")
	if parseErr != nil || created.Status >= 300 || !id.Is(jsontree.Number) {
		return steps, nil
	}
	route := item.filled(id.Raw())
	for _, step := range []struct {
		method string
		body   map[string]string
	}{{http.MethodGet, nil}, {http.MethodPost, map[string]string{titleArg(s): ownTitle + " (changed)"}}, {http.MethodGet, nil}, {http.MethodDelete, nil}, {http.MethodGet, nil}} {
		answer, err := send(step.method, route, step.body)
		deleted := step.method == http.MethodDelete && err == nil && answer.Status < 300
		if err != nil && len(steps) < 5 { // nothing is to be left on the site
			last, _, deleteErr := r.client.ask(context.WithoutCancel(ctx), login, recording.Request{Method: http.MethodDelete, Path: r.path(view{}, route, "")})
			deleted = deleteErr == nil && last.Status < 300
		}
		if !deleted && (err != nil || step.method == http.MethodDelete) && len(steps) < 6 {
			r.result.Leftover = append(r.result.Leftover, route)
		}
		if err != nil {
			return steps, err
		}
	}
	return steps, nil
}

// titleArg is the argument that names an object of the collection.
func titleArg(s *siteRoute) string {
	last := s.pattern[strings.LastIndexByte(s.pattern, '/')+1:]
	for _, name := range []string{"title", "name", strings.TrimSuffix(last, "s")} {
		if slices.ContainsFunc(s.post, func(arg siteArg) bool { return arg.name == name }) {
			return name
		}
	}
	return "title"
}

// ownObject is a body that creates an object: its name and what is required.
func ownObject(s *siteRoute) map[string]string {
	body := map[string]string{titleArg(s): ownTitle}
	for _, arg := range s.post {
		name := asciiLower(arg.name)
		switch {
		case !arg.required || body[arg.name] != "":
		case strings.Contains(name, "end") && strings.Contains(name, "date"):
			body[arg.name] = "2030-05-01 12:00:00"
		case strings.Contains(name, "date"):
			body[arg.name] = "2030-05-01 10:00:00"
		case len(arg.enum) > 0:
			body[arg.name] = arg.enum[0]
		case strings.Contains(arg.typ, "integer"):
			body[arg.name] = "1"
		default:
			body[arg.name] = ownTitle
		}
	}
	return body
}
