package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
)

// demoLoadCommand puts the sample calendar into an empty database, for `calbridge
// serve` to serve. A database that holds a site already is left alone.
func demoLoadCommand(ctx context.Context, p *program, args []string) error {
	var table []setting
	for _, s := range settingTable() {
		switch s.name {
		case "config", "dsn", "table-prefix", "home", "clock", "log-format", "log-level", "request-timeout":
			table = append(table, s)
		}
	}
	c, err := configure(p, "demo load", args, table, nil)
	if err != nil {
		return err
	}
	if c.dsn == "" {
		return usagef("demo load: no database is named: pass --dsn user:password@tcp(host:3306)/name or sqlite:FILE")
	}
	if c.home == "" {
		return usagef("demo load: pass --home URL, the address that the calendar will be served under")
	}
	logger, _ := c.newLogger(p.stderr) // no access lines
	cfg := c.storeConfig(logger, nil, nil)
	cfg.CreateFile = true
	store, err := sitedb.Open(ctx, cfg)
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = store.SiteFacts(ctx)
	if err == nil {
		fmt.Fprintln(p.stdout, "The database holds a site already: nothing was changed.")
		return nil
	}
	if !errors.Is(err, wpstore.ErrSchema) {
		return err
	}
	password := newApplicationPassword()
	hash := wpauth.FastHash(strings.ReplaceAll(password, " ", ""))
	if err := sample.Load(ctx, store, sample.Options{Now: c.now(), Home: c.home, PasswordHash: hash}); err != nil {
		return fmt.Errorf("demo load: %w", err)
	}
	fmt.Fprintf(p.stdout, "The calendar of the little town of Lípa is in the database.\nThe administrator is %s with the application password '%s'.\n", demoUser, password)
	return nil
}
