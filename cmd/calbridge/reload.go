package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// reloadTimeout bounds a reload, the database's part included.
const reloadTimeout = 30 * time.Second

// reload reads settings, secrets, profile and site facts again and lets the outcome
// answer from now on. Whatever fails leaves everything as it was.
func (r *running) reload(ctx context.Context) {
	r.tell("RELOADING=1", "STATUS=reloading")
	defer r.tell("READY=1", "STATUS=serving")
	ctx, cancel := context.WithTimeout(ctx, reloadTimeout)
	defer cancel()
	err := r.renew(ctx)
	r.metrics.Reloaded(err == nil)
	if err != nil {
		r.logger.Error("could not reload: everything stays as it was", "err", err)
		return
	}
	r.logger.Info("reloaded")
}

func (r *running) renew(ctx context.Context) error {
	if r.reread == nil {
		return errors.New("nothing to reload")
	}
	c, err := r.reread()
	if err != nil {
		return err
	}
	// The certificate first: it may be unusable, and a generation not yet in use
	// would have to be closed again.
	useCertificate, err := r.certificate.load(c.tlsCert, c.tlsKey)
	if err != nil {
		return err
	}
	next, err := c.openSite(ctx, r.logger, r.metrics)
	if err != nil {
		return err
	}
	useCertificate()
	last := r.site.replace(next)
	if r.limiter != nil {
		r.limiter.set(c.rateLimit, c.rateBurst)
	}
	if fixed := c.startOnly(r.settings); len(fixed) > 0 {
		r.logger.Warn("these settings count from the next start only", "settings", strings.Join(fixed, ", "))
	}
	r.background.Go(func() {
		if err := last.close(); err != nil {
			r.logger.Warn("closing what answered before the reload", "err", err)
		}
	})
	return nil
}

// startOnly names the settings that differ from those before, and that a reload
// does not change.
func (c *configuration) startOnly(before *settings) []string {
	var names []string
	for name, differs := range map[string]bool{
		"listen": c.listen != before.listen, "ops-listen": c.opsListen != before.opsListen,
		"log-format": c.logFormat != before.logFormat, "log-level": c.logLevel != before.logLevel,
		"max-connections": c.maxConnections != before.maxConnections, "pprof": c.pprof != before.pprof,
		"tls-cert":   (c.tlsCert == "") != (before.tlsCert == ""),
		"rate-limit": (c.rateLimit == 0) != (before.rateLimit == 0),
	} {
		if differs {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
