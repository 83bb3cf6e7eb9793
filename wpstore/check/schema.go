package check

import (
	"context"
	"errors"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// Schema looks whether this database can be served: server and session, privileges,
// tables and columns, versions of WordPress and of the calendar. What is wrong with
// the site is in the report; the error is for a database that could not be asked.
// Checks that need what another found missing are left out.
func Schema(ctx context.Context, site Site) (Report, error) {
	if err := site.Servers.Ping(ctx); err != nil {
		return nil, err
	}
	run := sqlconn.NewRunner(site.Servers, nil)
	var r Report
	server(&r, run.Dialect(), site.Servers.Version())
	there, err := columns(ctx, run, site.Tables)
	if err != nil {
		return r, err
	}
	missing := there.missing(site.Tables)
	var steps []func(context.Context, *Report) error
	if !run.Dialect().Embedded() {
		steps = append(steps,
			func(ctx context.Context, r *Report) error { return session(ctx, r, run) },
			func(ctx context.Context, r *Report) error {
				return binaryLog(ctx, r, run, site.Servers.Config().ReadOnly)
			},
			func(ctx context.Context, r *Report) error { return grants(ctx, r, run, &site, missing) })
	}
	steps = append(steps, func(ctx context.Context, r *Report) error { return tables(ctx, r, run, site.Tables, there, missing) })
	if len(missing) == 0 {
		steps = append(steps, func(ctx context.Context, r *Report) error { return facts(ctx, r, &site, there) })
	}
	for _, step := range steps {
		if err := step(ctx, &r); err != nil {
			if errors.Is(err, wpstore.ErrUnavailable) {
				return r, err
			}
			r.fail("database.query", "The question itself failed; please report this with the server's version.", "%v", err)
		}
	}
	return r, nil
}
