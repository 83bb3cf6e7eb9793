package sitedb

import (
	"context"
	"errors"
	"fmt"

	"calbridge/wpstore"
)

// Status says how a finding bears on serving.
type Status string

// The statuses of findings, from good to bad: a warning lets serving go on, a
// failure does not.
const (
	StatusOK   Status = "ok"
	StatusWarn Status = "warn"
	StatusFail Status = "fail"
)

// Finding is the outcome of one check.
type Finding struct {
	Name   string `json:"name"` // "database.grants"
	Status Status `json:"status"`
	Found  string `json:"found"`            // what there is
	Advice string `json:"advice,omitempty"` // what to do; may be several lines
}

// Report is the outcome of all checks, in the order they were made.
type Report []Finding

// Worst is the worst status of the report, ok for an empty one.
func (r Report) Worst() Status {
	worst := StatusOK
	for _, f := range r {
		if f.Status == StatusFail || f.Status == StatusWarn && worst == StatusOK {
			worst = f.Status
		}
	}
	return worst
}

func (r *Report) ok(name, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusOK, Found: fmt.Sprintf(found, args...)})
}

func (r *Report) warn(name, advice, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusWarn, Found: fmt.Sprintf(found, args...), Advice: advice})
}

func (r *Report) fail(name, advice, found string, args ...any) {
	*r = append(*r, Finding{Name: name, Status: StatusFail, Found: fmt.Sprintf(found, args...), Advice: advice})
}

// CheckSchema looks whether this database can be served: server and session,
// privileges, tables and columns, versions of WordPress and of the calendar. What
// is wrong with the site is in the report; the error is for a database that could
// not be asked. Checks that need what another found missing are left out.
func (db *DB) CheckSchema(ctx context.Context) (Report, error) {
	if err := db.Ping(ctx); err != nil {
		return nil, err
	}
	var r Report
	db.checkServer(&r)
	there, err := db.columns(ctx)
	if err != nil {
		return r, err
	}
	missing := db.missingTables(there)
	steps := []func(context.Context, *Report) error{
		db.checkSession,
		db.checkBinaryLog,
		func(ctx context.Context, r *Report) error { return db.checkGrants(ctx, r, missing) },
		func(ctx context.Context, r *Report) error { return db.checkTables(ctx, r, there, missing) },
	}
	if len(missing) == 0 {
		steps = append(steps, func(ctx context.Context, r *Report) error { return db.checkSite(ctx, r, there) })
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
