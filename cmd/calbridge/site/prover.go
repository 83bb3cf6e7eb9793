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
	"sync/atomic"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest/feed"
	"calbridge/rest/proof"
	"calbridge/rest/routes"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/invalidation"
)

// proofShare is the part of --cache-size that proofs may take besides the caches: one in so
// many bytes.
const proofShare = 16

// newProver returns the prover of mode auto. It answers nothing natively until gather has read
// the facts.
func newProver(s *settings.Settings, tracker *invalidation.Tracker, source *factSource, o proof.Observer, logger *slog.Logger) *proof.Prover {
	cfg := proof.Config{
		Settings: s.Rollout.Proof, Tracker: tracker, Facts: source.read, Code: source.code, Hooked: source.hooked, CodeAge: codeLooks * s.Rollout.CodeEvery, Known: routes.Parameters(s.API.LanguageParam),
		Now: time.Now, Observer: o, Logger: logger,
	}
	cfg.Bytes = s.Cache.Size / proofShare
	for _, name := range feed.Arguments() {
		cfg.Known[name] = true
	}
	return proof.New(cfg)
}

// codeLooks is after how many looks that find nothing the code that WordPress runs counts as not
// known, while WordPress answers other requests.
const codeLooks = 3

// factSource reads what proofs depend on. It is safe for concurrent use.
type factSource struct {
	settings  *settings.Settings
	companion *companion.Client                  // nil without the plugin
	gatherer  *sitecheck.Gatherer                // whose parts are used, not itself: one is used by one goroutine only
	document  atomic.Pointer[sitefacts.Document] // the last; nil before the first
	// opened are the facts that the site was opened with, by which it renders. What another one
	// proved counts only if it was opened with the same.
	opened *sitefacts.Document
	logger *slog.Logger
	warned atomic.Bool // that changes of code go unnoticed
}

// code asks the companion plugin which code WordPress runs. There are no facts without the
// plugin, or where it can't tell. The error says that WordPress doesn't answer.
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
		facts[proof.CodeFact+" "+part] = sum
	}
	return facts, nil
}

// hooked names the plugins and themes that may change fields of answers.
func (f *factSource) hooked(fields []string) []string {
	if d := f.document.Load(); d != nil {
		return d.Suspects(fields)
	}
	return nil
}

// away reports whether an error is that of a WordPress that doesn't answer, or too late.
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
	for _, plugin := range document.Texts(sitefacts.Plugins) { // so that a change has its name
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
