package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sites"
	"calbridge/rest/proof"
)

// proofCommand shows what a running server in auto mode has proved.
func proofCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	if len(args) > 0 && args[0] == "warm" {
		return proofWarmCommand(ctx, p, args[1:])
	}
	var asJSON bool
	var site string
	s, err := opsSettings(p, "proof", args, func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "print the report as JSON")
		fs.StringVar(&site, "site", "", "show "+sites.SiteHelp)
	})
	if err != nil {
		return err
	}
	text, err := askProof(ctx, s, site)
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	if asJSON {
		_, err = p.Stdout.Write(text)
		return err
	}
	report, err := readProof(text)
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	writeProof(p.Stdout, report)
	return nil
}

// askProof returns the report of a running server, as JSON. site names one of several sites; it is "" for the
// only one.
func askProof(ctx context.Context, s *settings.Settings, site string) ([]byte, error) {
	path := "/proof"
	if site != "" {
		path += "?" + url.Values{"site": {site}}.Encode()
	}
	text, err := readOps(ctx, http.MethodGet, opsURL(s, path))
	var refused refusal
	switch {
	case errors.As(err, &refused) && refused.status == http.StatusBadRequest:
		err = cmdline.Usagef("%s", refused.text)
	case err != nil && refused.status != http.StatusServiceUnavailable:
		err = fmt.Errorf("%w; is calbridge running, with --mode auto (or native and --upstream) and --ops-listen %s?", err, s.Listen.Ops)
	}
	return text, err
}

// proofOf returns the report of a running server.
func proofOf(ctx context.Context, s *settings.Settings, site string) (*proof.Report, error) {
	text, err := askProof(ctx, s, site)
	if err != nil {
		return nil, err
	}
	return readProof(text)
}

// readProof decodes a report.
func readProof(text []byte) (*proof.Report, error) {
	var report proof.Report
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("cannot read the server's response; use a calbridge of the same release as the server: %w", err)
	}
	return &report, nil
}

// writeProof prints a report.
func writeProof(w io.Writer, r *proof.Report) {
	if r.Held != proof.None {
		fmt.Fprintf(w, "nothing is answered natively now: %s\n", r.Held.Means())
	}
	for _, code := range r.Visitors {
		fmt.Fprintf(w, "code that depends on the visitor: %s; if it neither hides nor changes events because of that, name it in --harmless-code\n", code)
	}
	fmt.Fprintf(w, "answered natively %d", r.Answers[proof.None])
	for _, why := range slices.Sorted(maps.Keys(r.Answers)) {
		if why != proof.None {
			fmt.Fprintf(w, ", by WordPress (%s) %d", why, r.Answers[why])
		}
	}
	fmt.Fprintf(w, "\nobjects seen %d, closed %d; pages up to %d entries\n", r.Seen, r.Closed, r.PageCap)
	if f := r.Fragments; f != nil {
		fmt.Fprintf(w, "objects as WordPress renders them: %d held (%d kB); answers composed of them %d, not composed because one was missing %d; objects that WordPress has sent %d\n", f.Held, f.Bytes/1000, f.Hits, f.Misses, f.Fills)
		for _, why := range slices.Sorted(maps.Keys(f.Endings)) {
			fmt.Fprintf(w, "objects as WordPress renders them ended by %s: %d\n", why, f.Endings[why])
		}
	}
	for _, v := range r.Volatile {
		fmt.Fprintf(w, "%s varies by itself in %d objects of %s (%s), so that WordPress answers\n", strings.Join(v.Members, ", "), v.Objects, strings.TrimSpace(v.Route+" "+v.Language), v.Site)
	}
	if !r.LastCompared.IsZero() {
		fmt.Fprintf(w, "last comparison %s\n", r.LastCompared.Format(time.DateTime))
	}
	for _, why := range slices.Sorted(maps.Keys(r.Endings)) {
		fmt.Fprintf(w, "proofs ended by %s: %d\n", why, r.Endings[why])
	}
	for _, name := range r.Harmless {
		fmt.Fprintf(w, "%s is probably harmless: it has changed often, for at least a day, and identical answers followed each change; if it hides no event and changes no answer, add --harmless-tables %[1]s\n", name)
	}
	for _, name := range r.Accompanying {
		fmt.Fprintf(w, "%s changes whenever WordPress is asked, as a counter of views does, so that nothing it belongs to is proven; if it hides no event and changes no answer, add --harmless-tables %[1]s\n", name)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Tables)) {
		fmt.Fprintf(w, "changes of %s: %d; if they hide no event and change no answer, name it in --harmless-tables\n", name, r.Tables[name])
	}
	if len(r.Changed) > 0 {
		fmt.Fprintf(w, "facts that changed last: %s\n", strings.Join(r.Changed, ", "))
	}
	for _, rule := range r.Headers {
		fmt.Fprintf(w, "%s: %s\n", rule.Means(), rule.Name)
	}
	for _, rule := range r.PageCaps {
		fmt.Fprintf(w, "pages of %s that WordPress shows: up to %d entries\n", rule.Route, rule.Entries)
	}
	for _, name := range r.Varying {
		fmt.Fprintf(w, "header that varies, and is left out: %s\n", name)
	}
	fmt.Fprintf(w, "\n%-10s %9s %9s  %s\n", "state", "identical", "natively", "requests")
	for _, p := range r.Shapes {
		name := strings.TrimSpace(cmp.Or(p.Route, "/") + " " + p.Arguments + " " + p.Language)
		if p.Composed {
			name += " with WordPress's objects"
		}
		fmt.Fprintf(w, "%-10s %9d %9d  %s (%s, %s)\n", p.State, p.Identical, p.Natives, name, p.Answer, p.Site)
		if p.Kept {
			fmt.Fprintf(w, "%32s was proven before a restart, or before rows changed during a comparison; one more identical answer proves it again\n", "")
		}
		if p.Difference != nil && p.State != proof.Proven {
			fmt.Fprintf(w, "%32s differs in %s\n", "", strings.Join(p.Difference.Fields, ", "))
			if causes := p.Difference.Causes; len(causes) > 0 {
				fmt.Fprintf(w, "%32s likely because of %s\n", "", strings.Join(causes, ", "))
			}
		}
	}
}
