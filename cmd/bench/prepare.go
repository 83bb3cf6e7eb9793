package main

import (
	"context"
	"database/sql"
	"io"
	"os"

	"calbridge/wpstore/mariadbd"
)

// prepare sets up what the flags leave out: a temporary folder, calbridge's program, which it
// builds there if program is empty, and a calendar, which it generates on a private server if
// dsn is empty. It sets program and dsn. remove removes everything that was set up.
func prepare(ctx context.Context, program, dsn *string, events int, log io.Writer) (dir string, remove func(), err error) {
	dir, remove, err = workFolder(ctx, program)
	if err != nil || *dsn != "" {
		return dir, remove, err
	}
	private, server, err := privateCalendar(ctx, events, log, "--innodb-buffer-pool-size=2G")
	if err != nil {
		remove()
		return "", nil, err
	}
	*dsn = private
	folder := remove
	return dir, func() { server.Stop(); folder() }, nil
}

// prepareEdits does what prepare does, and opens the calendar for edits past the server. done closes
// it and removes the rest.
func prepareEdits(ctx context.Context, program, dsn *string, events int, log io.Writer) (dir string, db *sql.DB, done func(), err error) {
	dir, remove, err := prepare(ctx, program, dsn, events, log)
	if err != nil {
		return "", nil, nil, err
	}
	if db, err = sql.Open("mysql", *dsn); err != nil {
		remove()
		return "", nil, nil, err
	}
	return dir, db, func() { db.Close(); remove() }, nil
}

// privateCalendar generates a calendar on its own database server, which is started with the arguments.
func privateCalendar(ctx context.Context, events int, log io.Writer, args ...string) (dsn string, server *mariadbd.Server, err error) {
	if server, err = mariadbd.Start(mariadbd.Options{BinaryLog: true, Args: args}); err != nil {
		return "", nil, err
	}
	if dsn, _, err = server.CreateDatabase(); err == nil {
		err = generate(ctx, dsn, events, log)
	}
	if err != nil {
		server.Stop()
		return "", nil, err
	}
	return dsn, server, nil
}

// workFolder creates a temporary folder. If program is empty, it builds calbridge there and
// sets program to its path. remove removes the folder.
func workFolder(ctx context.Context, program *string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", "calbridge-bench-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if *program == "" {
		if *program, err = buildCalbridge(ctx, dir); err != nil {
			remove()
			return "", nil, err
		}
	}
	return dir, remove, nil
}
