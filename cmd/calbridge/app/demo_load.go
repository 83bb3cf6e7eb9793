package app

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/demo"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
)

// demoLoadCommand loads the sample calendar into an empty database, for `calbridge serve`. It
// leaves a database that has a site unchanged.
func demoLoadCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	has := settings.Named("config", "dsn", "table-prefix", "define", "home", "db-charset", "clock", "log-format", "log-level", "request-timeout")
	var home string
	s, err := settings.Read(p, settings.Command{Name: "demo load", Args: args, Has: has, Flags: func(fs *flag.FlagSet) {
		fs.StringVar(&home, "home", "", "address of the calendar, such as http://localhost:8080: a `URL`; the default is the constant WP_HOME")
	}})
	if err != nil {
		return err
	}
	if s.Database.Address.IsZero() {
		return cmdline.Usagef("demo load: no database configured: pass --dsn sqlite:FILE, or set CALBRIDGE_DSN_FILE to a file with the line user:password@tcp(host:3306)/name")
	}
	if home = cmp.Or(home, s.Site.Home); home == "" {
		return cmdline.Usagef("demo load: pass --home URL, the address of the calendar")
	}
	logger, _ := logging.New(p.Stderr, s.Log) // without an access log
	cfg := site.StoreConfig(s, logger, nil)
	cfg.CreateFile = true
	store, err := sitedb.Open(ctx, cfg)
	if err != nil {
		return err
	}
	defer store.Close()
	_, err = store.Session(nil).Options.SiteFacts(ctx)
	if err == nil {
		fmt.Fprintln(p.Stdout, "The database already contains a site: nothing was changed.")
		return nil
	}
	if !errors.Is(err, wpstore.ErrSchema) {
		return err
	}
	password, err := demo.Load(ctx, store, s.Now(), home)
	if err != nil {
		return fmt.Errorf("demo load: %w", err)
	}
	fmt.Fprintf(p.Stdout, "The calendar of the little town of Lípa is in the database.\nThe administrator is %s with the application password '%s'.\n", demo.User, password)
	return nil
}
