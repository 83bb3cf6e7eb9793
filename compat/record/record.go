package record

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"calbridge/compat/profile"
	"calbridge/compat/recording"
)

// Record records a running site. It reads the index of its namespace and requests every
// route, page by page, in every language, as anonymous and as every login. Parameters
// come from the site's own answers; wrong requests are included, and requests for the
// other messages of the reference. Every request is sent
// twice, the second time after the clock has moved on, and differences between the two
// answers become noise rules. A call after an interruption continues the file.
//
// Unstable lists requests whose status changed between the two answers; they are left
// out. Leftover lists objects that were created with Writes and could not be deleted.
func Record(ctx context.Context, o Options) (*Result, error) {
	o = o.completed()
	if o.Out == "" {
		return nil, errors.New("record needs a file (--out FILE.jsonl or FILE.jsonl.gz)")
	}
	home, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("site: %w", err)
	}
	client, err := newPoliteClient(o, home)
	if err != nil {
		return nil, err
	}
	defer client.close()
	out, err := openRecording(o.Out)
	if err != nil {
		return nil, err
	}
	result := &Result{}
	err = errors.Join(record(ctx, o, strings.TrimSuffix(home.Path, "/"), client, out, result), out.file.Close())
	if err != nil && out.empty { // a failed start leaves nothing behind
		err = errors.Join(err, os.Remove(o.Out))
	}
	result.Requests = int(client.sent.Load())
	if err == nil {
		err = writeProfile(o, result)
	}
	return result, err
}

// record sends requests stage by stage. Each stage is planned from the answers to the
// earlier ones. dir is the site's directory, without a trailing slash.
func record(ctx context.Context, o Options, dir string, client *politeClient, out *recordingFile, result *Result) error {
	if out.finished && o.User == "" {
		result.AlreadyFinished, result.Header = true, out.header
		return nil
	}
	namespaces := []string{o.Namespace}
	if o.Namespace == "" {
		namespaces = []string{recording.DefaultNamespace, recording.CalbridgeNamespace}
		if began := out.header.Namespace; began != "" {
			namespaces = []string{began}
		}
	}
	site, index, err := findSite(ctx, o, namespaces, dir, client)
	if err != nil {
		return err
	}
	if o.User != "" {
		if err := checkLogin(ctx, o.User, site, client); err != nil {
			return err
		}
	}
	result.Header = out.header
	if out.header.Format == "" {
		if result.Header, err = describe(ctx, o, site, client, index); err != nil {
			return err
		}
		if err := out.write(result.Header); err != nil {
			return err
		}
	}
	s := &session{client: client, out: out, concurrency: o.Concurrency, gap: o.Gap, secrets: slices.Collect(maps.Values(client.logins)), progress: o.Progress, result: result, seen: map[string]bool{}}
	p := &planner{site: site, values: newHarvest()}
	views, missing := site.views(ctx, o, client)
	result.LanguagesNotFound = missing
	for _, v := range views {
		if err := recordView(ctx, s, p, v); err != nil {
			return err
		}
	}
	if err := recordMessages(ctx, o, s, p, views); err != nil {
		return err
	}
	if o.Writes {
		if err := recordWrites(ctx, o, s, site); err != nil {
			return err
		}
	}
	result.addEarlier(out, s.seen)
	return out.write(recording.Header{Format: recording.HeaderFormat, Finished: o.Now().UTC(), Exchanges: result.Exchanges})
}

// recordView sends all requests of one view, from the index to wrong requests.
func recordView(ctx context.Context, s *session, p *planner, v view) error {
	p.planIndex(v)
	if _, err := s.ask(ctx, p.take()); err != nil {
		return err
	}
	for i := range p.site.routes {
		route := &p.site.routes[i]
		for _, stage := range []func(view, *siteRoute){p.planCollection, p.planPages} {
			stage(v, route)
			exchanges, err := s.ask(ctx, p.take())
			for _, x := range exchanges {
				p.values.add(route.Pattern, x)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, stage := range []func(view){p.planItems, p.planParameters, p.planPairs, p.planSpellings, p.planWrong} {
		stage(v)
		if _, err := s.ask(ctx, p.take()); err != nil {
			return err
		}
	}
	return nil
}

// checkLogin returns an error if the site refuses the login.
func checkLogin(ctx context.Context, login string, s *siteAPI, client *politeClient) error {
	answer, _, err := client.ask(ctx, login, recording.Request{Method: http.MethodGet, Path: s.path(view{}, "", "")})
	if err != nil {
		return err
	}
	if answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden {
		return fmt.Errorf("the site refuses the login %s with status %d: check the name and its application password", login, answer.Status)
	}
	return nil
}

// writeProfile writes the profile, if it is wanted, and lists the messages that it lacks.
func writeProfile(o Options, result *Result) error {
	p, err := profileOf(o)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	result.Missing = p.Missing()
	if o.Profile == "" {
		return nil
	}
	result.ProfileWarnings, result.ProfileLanguages = p.Warnings, len(p.Languages)
	return p.WriteFile(o.Profile)
}

// profileOf returns the profile of what is recorded so far.
func profileOf(o Options) (*profile.Profile, error) {
	return profile.Build(profile.Options{Recordings: []string{globEscape(o.Out)}, Namespace: o.Namespace, Generator: o.Generator})
}

// globEscape returns a pattern that matches only this file.
func globEscape(file string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(file)
}
