package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"time"

	_ "github.com/go-sql-driver/mysql"
)

// startGalera starts a cluster of one node with the server on the PATH, and returns a DSN of
// its administrator. The tests' own servers have no tables of privileges, which Galera needs.
func startGalera(ctx context.Context, folder string) (dsn string, stop func(), err error) {
	nodes, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	port := nodes.Addr().(*net.TCPAddr).Port
	if err := nodes.Close(); err != nil {
		return "", nil, err
	}
	me, err := user.Current()
	if err != nil {
		return "", nil, err
	}
	data, socket := filepath.Join(folder, "data"), filepath.Join(folder, "socket")
	install := exec.CommandContext(ctx, "mariadb-install-db", "--no-defaults", "--datadir="+data, "--user="+me.Username, "--auth-root-authentication-method=normal", "--skip-test-db")
	if out, err := install.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("%w: %s", err, out)
	}
	log, err := os.Create(filepath.Join(folder, "server.log"))
	if err != nil {
		return "", nil, err
	}
	defer log.Close()
	server := exec.CommandContext(ctx, "mariadbd", "--no-defaults", "--datadir="+data, "--user="+me.Username, "--socket="+socket, "--skip-networking",
		"--tmpdir="+folder, "--log-bin=log", "--binlog-format=ROW", "--server-id=1", "--innodb-autoinc-lock-mode=2", "--log-slave-updates", "--innodb-flush-log-at-trx-commit=0",
		"--wsrep-on=ON", "--wsrep-provider=/usr/lib/galera/libgalera_smm.so", "--wsrep-cluster-address=gcomm://", "--wsrep-new-cluster", "--wsrep-node-address=127.0.0.1",
		fmt.Sprintf("--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:%d;base_port=%d", port, port))
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	dsn = "root@unix(" + socket + ")/"
	if err := answers(ctx, dsn); err != nil {
		stop()
		return "", nil, fmt.Errorf("Galera doesn't start: %w; see %s", err, log.Name())
	}
	return dsn, stop, nil
}

// answers waits until a server does.
func answers(ctx context.Context, dsn string) error {
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for db.PingContext(ctx) != nil {
		if ctx.Err() != nil {
			return errors.New("no answer within a minute")
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}
