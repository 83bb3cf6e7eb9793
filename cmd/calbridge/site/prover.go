package site

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/exporturl"
	"calbridge/rest/fragment"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/rest/tribev1"
	"calbridge/wpstore/invalidation"
)

// proofShare is the part of --cache-size that proofs may take in addition to the caches: one
// byte in proofShare.
const proofShare = 16

// fragmentShare is the part of --cache-size that WordPress's rendering of objects may take in addition
// to the caches: one byte in fragmentShare.
const fragmentShare = 8

// fillsApart is the least time between the two identical renderings by WordPress that prove that it
// depends on rows, unless --proof-time is shorter.
const fillsApart = time.Minute

// newProver returns the prover of mode auto, or that of mode native for content that only WordPress
// can render. Nothing is answered natively until gather has
// read the facts.
func newProver(s *settings.Settings, tracker *invalidation.Tracker, source *factSource, o proof.Observer, logger *slog.Logger) *proof.Prover {
	cfg := proof.Config{
		Settings: s.Rollout.Proof, Tracker: tracker, Facts: source.read, Code: source.code, Hooked: source.hooked, CodeAge: codeLooks * s.Rollout.CodeEvery, Known: knownArguments(s.API.LanguageParam),
		Now: time.Now, Observer: o, Logger: logger,
	}
	cfg.OnlyContent = s.Rollout.Plan.Mode == rollout.Native
	cfg.Bytes, cfg.MaxAge = s.Cache.Size/proofShare, s.Rollout.Fragments.MaxAge
	if f := s.Rollout.Fragments; f.MaxAge > 0 {
		cfg.Fragments = fragment.New(fragment.Config{Tracker: tracker, MaxAge: f.MaxAge, StaleIfError: f.StaleIfError, Apart: min(fillsApart, s.Rollout.Proof.Time), Bytes: s.Cache.Size / fragmentShare, Now: time.Now})
	}
	return proof.New(cfg)
}

// knownArguments returns the names of the arguments of the API and of exports.
func knownArguments(languageParam string) map[string]bool {
	known := tribev1.Parameters(languageParam)
	for _, name := range exporturl.Arguments() {
		known[name] = true
	}
	return known
}

// keepsContent reports whether the mode native keeps WordPress's rendering of content that calbridge
// can't render, provided that the binary log is followed.
func keepsContent(s *settings.Settings, c *companion.Client) bool {
	r := &s.Rollout
	return r.Plan.Mode == rollout.Native && r.Upstream.URL != "" && c != nil && r.Fragments.MaxAge > 0
}

// codeLooks is the number of unsuccessful checks after which the code that WordPress runs
// counts as unknown while WordPress answers other requests.
const codeLooks = 3

// dataFile precedes the name of a data file among the parts that the companion plugin reports.
const dataFile = "data file "

// factSource reads the facts that proofs depend on. It is safe for concurrent use.
type factSource struct {
	settings  *settings.Settings
	companion *companion.Client                  // nil without the companion plugin
	gatherer  *sitecheck.Gatherer                // only its parts are used, because a Gatherer belongs to one goroutine
	document  atomic.Pointer[sitefacts.Document] // the latest document; nil before the first
	// opened holds the facts that the site was opened with and that it renders by. It takes
	// over proofs of another site only if that was opened with the same facts.
	opened *sitefacts.Document
	logger *slog.Logger
	warned atomic.Bool // whether the log has a warning that changes of code go unnoticed
}

// code asks the companion plugin which code WordPress runs, and which data files hooked code names. It returns no facts if there is no
// plugin or the plugin can't tell. It returns an error if WordPress doesn't respond.
func (f *factSource) code(ctx context.Context) (proof.Facts, error) {
	if f.companion == nil {
		return nil, nil
	}
	parts, err := f.companion.Code(ctx, sitefacts.HookNames())
	if away(err) {
		return nil, err
	}
	if err != nil {
		level := slog.LevelWarn
		if f.warned.Swap(true) {
			level = slog.LevelDebug
		}
		f.logger.Log(ctx, level, "changes of WordPress's code go unnoticed: WordPress answers every request unless --proof-without-companion is set", "err", err)
		return nil, nil
	}
	f.warned.Store(false)
	facts := proof.Facts{proof.CodeFact: "read"}
	for part, sum := range parts {
		if file, is := strings.CutPrefix(part, dataFile); is {
			facts[proof.FileFact+" "+file] = sum
			continue
		}
		facts[proof.CodeFact+" "+part] = sum
	}
	return facts, nil
}

// hooked returns the names of the plugins and themes that may change the given fields of
// responses.
func (f *factSource) hooked(fields []string) []string {
	if d := f.document.Load(); d != nil {
		return d.Suspects(fields)
	}
	return nil
}

// away reports whether err means that WordPress doesn't respond in time.
func away(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// read reads all facts.
func (f *factSource) read(ctx context.Context) (proof.Facts, error) {
	code, err := f.code(ctx)
	if err != nil {
		return nil, err
	}
	g := &sitecheck.Gatherer{Settings: f.gatherer.Settings, Store: f.gatherer.Store, Companion: f.gatherer.Companion, Profile: f.gatherer.Profile}
	document, _, err := g.Gather(ctx)
	if err != nil {
		return nil, err
	}
	if code != nil && document.From(sitefacts.Plugins) != sitefacts.Companion {
		return nil, errors.New("the companion plugin reports which code WordPress runs, but no facts: it failed, or is slow")
	}
	f.document.Store(document)
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	opened, err := json.Marshal(f.opened)
	if err != nil {
		return nil, err
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	facts := proof.Facts{"calbridge": buildinfo.This().String(), "opened with": string(opened)}
	for name, value := range values {
		facts[name] = string(value)
	}
	for _, plugin := range document.Texts(sitefacts.Plugins) { // so that a change can be reported by name
		facts[proof.PluginFact+" "+plugin] = "active"
	}
	for _, code := range sitecheck.VisitorCodeOf(f.settings, document) {
		facts[proof.VisitorFact+" "+code.Name] = "hooked"
	}
	if home, err := url.Parse(document.Text(sitefacts.Home)); err == nil && home.Host != "" {
		facts[proof.HostFact+" "+home.Host] = "own"
	}
	for _, v := range f.settings.List() {
		if v.Group != settings.GroupLog {
			facts["--"+v.Name] = v.Text
		}
	}
	maps.Copy(facts, code)
	return facts, nil
}
