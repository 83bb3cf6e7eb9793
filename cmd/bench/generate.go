package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"calbridge/rest/wpauth"
	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/table"
)

const (
	tablePrefix = "wp_"
	// login and password belong to the calendar's administrator. Loads that write use them.
	login    = "bench"
	password = "bench bench bench"
)

// generateCommand fills an empty database with a calendar.
func generateCommand(ctx context.Context, args []string, _, log io.Writer) error {
	flags := newFlags("generate", log)
	dsn := flags.String("dsn", "", "empty database to fill: user@unix(/path.sock)/name (default: the environment variable CALBRIDGE_DSN)")
	events := flags.Int("events", 10_000, "how many events")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dsn == "" {
		*dsn = os.Getenv("CALBRIDGE_DSN")
	}
	if *dsn == "" {
		return errors.New("generate: set CALBRIDGE_DSN, or pass --dsn")
	}
	return generate(ctx, *dsn, *events, log)
}

// generate creates the tables, a calendar and an administrator.
func generate(ctx context.Context, dsn string, events int, log io.Writer) error {
	at, err := dbaddr.Parse(dsn)
	if err != nil {
		return err
	}
	store, err := sitedb.Open(ctx, sitedb.Config{Config: sqlconn.Config{Database: at, QueryTimeout: 10 * time.Minute}, Tables: table.Config{Prefix: tablePrefix}})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := store.CreateSchema(ctx); err != nil {
		return err
	}
	began := time.Now()
	done := func(n int) {
		if n == events || n%100_000 == 0 {
			took := time.Since(began)
			fmt.Fprintf(log, "%d events after %.1f s, %.0f a second\n", n, took.Seconds(), float64(n)/took.Seconds())
		}
	}
	if err := synthetic.Calendar(ctx, store.SQL(), tablePrefix, events, done); err != nil {
		return err
	}
	return errors.Join(
		synthetic.AddAdministrator(ctx, store.SQL(), tablePrefix, login,
			sample.ApplicationPasswords(wpauth.FastHash(strings.ReplaceAll(password, " ", "")), synthetic.Now.Unix())),
		synthetic.Analyze(ctx, store.SQL(), tablePrefix),
	)
}
