package main

import (
	"context"
	"io"
	"os"

	"calbridge/wpstore/mariadbd"
)

// prepare makes what a load needs and the flags do not name: a temporary folder, calbridge's
// program, built there if program is "", and a calendar, generated on a private server if dsn
// is "". It sets both. remove removes all of it.
func prepare(ctx context.Context, program, dsn *string, events int, log io.Writer) (dir string, remove func(), err error) {
	dir, remove, err = workFolder(ctx, program)
	if err != nil || *dsn != "" {
		return dir, remove, err
	}
	private, stop, err := privateCalendar(ctx, events, log)
	if err != nil {
		remove()
		return "", nil, err
	}
	*dsn = private
	folder := remove
	return dir, func() { stop(); folder() }, nil
}

// privateCalendar generates a calendar on a database server of its own.
func privateCalendar(ctx context.Context, events int, log io.Writer) (dsn string, stop func(), err error) {
	server, err := mariadbd.Start(mariadbd.Options{BinaryLog: true, Args: []string{"--innodb-buffer-pool-size=2G"}})
	if err != nil {
		return "", nil, err
	}
	if dsn, _, err = server.CreateDatabase(); err == nil {
		err = generate(ctx, dsn, events, log)
	}
	if err != nil {
		server.Stop()
		return "", nil, err
	}
	return dsn, server.Stop, nil
}

// workFolder makes a temporary folder, and builds calbridge there if program, the path of
// its program, is "". remove removes the folder.
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
