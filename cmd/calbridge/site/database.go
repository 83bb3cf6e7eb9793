package site

import (
	"context"
	"errors"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/wpstore"
)

// OpenDatabase connects and looks at everything that the database says. The error
// says what keeps from looking.
func OpenDatabase(ctx context.Context, s *settings.Settings, cfg wpstore.Config) (*wpstore.DB, wpstore.Report, error) {
	if cfg.DSN == "" {
		return nil, nil, errors.New("no database is named: pass --wp-config FILE, or --dsn user:password@tcp(host:3306)/name; `calbridge demo` needs neither")
	}
	store, err := wpstore.Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	report, err := sitecheck.Database(ctx, s, store)
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return store, report, nil
}
