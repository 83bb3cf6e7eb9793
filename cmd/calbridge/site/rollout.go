package site

import (
	"errors"
	"fmt"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/rest"
	"calbridge/rest/rollout"
)

// openRollout puts the API between clients and WordPress. The Judge is nil if nothing is
// compared.
func openRollout(s *settings.Settings, p *Parts, api *rest.Server, closed func() bool, o observer) (*rollout.Handler, *diffmode.Judge, error) {
	cfg := rollout.Config{
		Plan: s.Rollout.Plan, Native: api, Client: httpserver.ByAddress(s.Listen.TrustedProxies),
		TrustedProxies: s.Listen.TrustedProxies, MaxBody: s.Limits.MaxBody, Closed: closed, Observer: o, Logger: o.logger, Guard: p.Store.Guard(),
	}
	if cfg.Mode == rollout.Auto && p.prover == nil {
		return nil, nil, errors.New("--mode auto needs a site that was opened with its settings")
	}
	if p.prover != nil {
		cfg.Prover, cfg.Settle, cfg.OrdinaryHeaders = p.prover, p.Store.Feed.CatchUp, s.Rollout.Headers
	}
	if s.Extends() {
		cfg.Own = api.Own
	}
	if cfg.Mode == "" { // commands without these settings
		cfg.Plan = rollout.Plan{Mode: rollout.Native, Clients: 100}
	}
	if s.Rollout.Upstream.URL != "" {
		cfg.Upstream = &s.Rollout.Upstream
	}
	var comparing *diffmode.Judge
	if cfg.Compares() || cfg.Prover != nil {
		var err error
		if comparing, err = diffmode.Open(diffConfig(s, p.Home, o)); err != nil {
			return nil, nil, err
		}
		cfg.Judge = comparing
	}
	h, err := rollout.New(cfg)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("--mode and --upstream: %w", err), comparing.Close())
	}
	o.rollout.Use(cfg.Plan)
	return h, comparing, nil
}

// diffConfig returns the configuration of the diff modes; home is the site's address.
func diffConfig(s *settings.Settings, home string, o observer) diffmode.Config {
	return diffmode.Config{
		Settings: s.Rollout.Compare,
		Header:   recording.Header{Generator: buildinfo.This().String(), Home: home, Namespace: s.API.Namespace, Recorded: s.Now().UTC()},
		Compat:   explain.Level(s.API.Compat), Proving: s.Rollout.Plan.Mode == rollout.Auto, Namespace: s.API.Namespace,
		TrustedProxies: s.Listen.TrustedProxies, LanguageParam: s.API.LanguageParam, Logger: o.logger,
	}
}
