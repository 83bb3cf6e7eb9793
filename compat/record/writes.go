package record

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// ownTitle names the objects that a recording creates, in case one is left behind.
const ownTitle = "calbridge-record test object, may be deleted"

// recordWrites creates, changes and deletes its own objects, as every login and on every
// collection that accepts POST. Each sequence is run twice and recorded as a write case.
func recordWrites(ctx context.Context, o Options, s *session, site *siteAPI) error {
	for _, login := range slices.Sorted(maps.Keys(o.Logins)) {
		for i := range site.routes {
			route := &site.routes[i]
			item := site.itemRoute(route)
			if !route.static() || !route.Takes("POST") || route.Pattern == "" || item == nil {
				continue
			}
			id := "writes-" + strings.ReplaceAll(strings.Trim(route.Pattern, "/"), "/", "-") + "-" + login
			if s.out.cases[id] {
				continue
			}
			var runs [2][]recording.Step
			for i := range runs {
				var err error
				if runs[i], err = sequence(ctx, s, site, login, route, item); err != nil {
					return err
				}
			}
			c, second := &recording.Case{ID: id, As: login, Steps: runs[0], Rows: map[string]recording.TableChange{}}, runs[1]
			for k := range c.Steps {
				x := c.Exchange(k)
				if k < len(second) {
					x.Noise = noiseBetween(x, second[k].Response)
				}
				x = recording.Redact(x, s.secrets)
				c.Steps[k].Request, c.Steps[k].Response, c.Steps[k].Noise = x.Request, x.Response, x.Noise
			}
			if err := s.out.write(c); err != nil {
				return err
			}
			s.result.Cases++
		}
	}
	return nil
}

// itemRoute returns the route of one object of a collection, by its id.
func (s *siteAPI) itemRoute(collection *siteRoute) *siteRoute {
	for i := range s.routes {
		before, name, after, ok := s.routes[i].variable()
		if ok && name == "id" && after == "" && before == collection.Pattern+"/" && s.routes[i].Takes("DELETE") {
			return &s.routes[i]
		}
	}
	return nil
}

// sequence creates an object, changes it, reads it and deletes it. If it could not be
// created, there is only one step.
func sequence(ctx context.Context, s *session, site *siteAPI, login string, collection, item *siteRoute) ([]recording.Step, error) {
	var steps []recording.Step
	send := func(method, route string, body map[string]string) (recording.Response, error) {
		request := recording.Request{Method: method, Path: site.path(view{}, route, ""), Headers: map[string]string{}}
		if body != nil {
			data, _ := json.Marshal(body) // strings always marshal
			text := string(data)
			request.Body, request.Headers["Content-Type"] = &text, "application/json"
		}
		answer, _, err := s.client.ask(ctx, login, request)
		if err != nil {
			return recording.Response{}, fmt.Errorf("%s %s: %w", method, request.Path, err)
		}
		steps = append(steps, recording.Step{Request: request, Response: answer})
		return answer, nil
	}
	created, err := send(http.MethodPost, collection.Pattern, ownObject(collection))
	if err != nil {
		return steps, err
	}
	root, parseErr := jsontree.Parse(created.Body)
	id := root.Member("id")
	if parseErr != nil || created.Status >= 300 || !id.Is(jsontree.Number) {
		return steps, nil
	}
	route, deleted := item.filled(id.Raw()), false
	defer func() { // leave nothing on the site
		if deleted {
			return
		}
		last, _, err := s.client.ask(context.WithoutCancel(ctx), login, recording.Request{Method: http.MethodDelete, Path: site.path(view{}, route, "")})
		if err != nil || last.Status >= 300 {
			s.result.Leftover = append(s.result.Leftover, route)
		}
	}()
	for _, step := range []struct {
		method string
		body   map[string]string
	}{{http.MethodGet, nil}, {http.MethodPost, map[string]string{titleArg(collection): ownTitle + " (changed)"}}, {http.MethodGet, nil}, {http.MethodDelete, nil}, {http.MethodGet, nil}} {
		answer, err := send(step.method, route, step.body)
		if err != nil {
			return steps, err
		}
		deleted = deleted || step.method == http.MethodDelete && answer.Status < 300
	}
	return steps, nil
}

// titleArg returns the argument that names an object of the collection.
func titleArg(s *siteRoute) string {
	last := s.Pattern[strings.LastIndexByte(s.Pattern, '/')+1:]
	for _, name := range []string{"title", "name", strings.TrimSuffix(last, "s")} {
		if hasArg(s.Args("POST"), name) {
			return name
		}
	}
	return "title"
}

// ownObject returns a body that creates an object: its name and what is required.
func ownObject(s *siteRoute) map[string]string {
	body := map[string]string{titleArg(s): ownTitle}
	for _, arg := range s.Args("POST") {
		name := wprest.ASCIILower(arg.Name)
		switch {
		case !arg.Required || body[arg.Name] != "":
		case strings.Contains(name, "end") && strings.Contains(name, "date"):
			body[arg.Name] = "2030-05-01 12:00:00"
		case strings.Contains(name, "date"):
			body[arg.Name] = "2030-05-01 10:00:00"
		case len(arg.Enum) > 0:
			body[arg.Name] = arg.Enum[0]
		case strings.Contains(arg.Type, "integer"):
			body[arg.Name] = "1"
		default:
			body[arg.Name] = ownTitle
		}
	}
	return body
}
