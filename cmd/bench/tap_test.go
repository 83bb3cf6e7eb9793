package main

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mysqlwire"
)

// TestTap sends a login, two statements and another command through the tap.
func TestTap(t *testing.T) {
	packet := func(sequence byte, payload string) string {
		return string(mysqlwire.AppendPacket(nil, sequence, []byte(payload)))
	}
	long := strings.Repeat("x", 300)
	sent := packet(1, "login") + packet(0, "\x03SELECT 1") + packet(0, "\x0e") + packet(0, "\x03"+long)
	var passed bytes.Buffer
	tap := &tap{}
	_ = tap.pass(&passed, strings.NewReader(sent)) // pass returns at the end of the text
	if passed.String() != sent {
		t.Errorf("%q came through", passed.String())
	}
	if got := tap.statements(); !slices.Equal(got, []string{"SELECT 1", long}) {
		t.Errorf("%q", got)
	}
	if got := tap.statements(); len(got) != 0 {
		t.Errorf("again %q", got)
	}
}

// TestTapCounts checks that statements that are sent together make one round trip, and that
// those left out count for nothing.
func TestTapCounts(t *testing.T) {
	query := func(text string) string { return string(mysqlwire.AppendPacket(nil, 0, []byte("\x03"+text))) }
	client, server := net.Pipe()
	tap := &tap{}
	done := make(chan error)
	go func() { done <- tap.pass(io.Discard, server) }()
	for _, sent := range []string{query("BEGIN"), query("INSERT 1") + query("INSERT 2") + query("SELECT 1"), query("/* x */ SELECT 2") + query("SELECT 3"), query("COMMIT")} {
		if _, err := client.Write([]byte(sent)); err != nil {
			t.Fatal(err)
		}
	}
	client.Close()
	<-done
	if statements, trips := tap.counts("/* x */"); statements != 6 || trips != 3 {
		t.Errorf("%d statements in %d round trips", statements, trips)
	}
	if statements, trips := tap.counts("/* x */"); statements != 0 || trips != 0 {
		t.Errorf("again %d in %d", statements, trips)
	}
}

// TestTapForwards connects a client through the tap to an echo server.
func TestTapForwards(t *testing.T) {
	dir := t.TempDir()
	database, err := net.Listen("unix", filepath.Join(dir, "db.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	go func() {
		for {
			conn, err := database.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buffer := make([]byte, 1024)
				for {
					n, err := conn.Read(buffer)
					if err != nil {
						return
					}
					_, _ = conn.Write(buffer[:n])
				}
			}()
		}
	}()
	tap, err := newTap("user@unix("+database.Addr().String()+")/site?parseTime=true", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tap.close()
	cfg, err := mysql.ParseDSN(tap.dsn)
	if err != nil || cfg.User != "user" || cfg.DBName != "site" || !cfg.ParseTime || cfg.Addr == database.Addr().String() {
		t.Fatalf("DSN %s, %v", tap.dsn, err)
	}
	client, err := net.Dial(cfg.Net, cfg.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	sent := mysqlwire.AppendPacket(nil, 0, []byte("\x03SELECT 5"))
	if _, err := client.Write(sent); err != nil {
		t.Fatal(err)
	}
	back := make([]byte, len(sent))
	if n, err := client.Read(back); err != nil || !bytes.Equal(back[:n], sent) {
		t.Errorf("%q came back, %v", back[:n], err)
	}
	if got := tap.statements(); !slices.Equal(got, []string{"SELECT 5"}) {
		t.Errorf("statements %q", got)
	}
	if _, err := newTap("no DSN", dir); err == nil {
		t.Error("a bad DSN is taken")
	}
}
