package sitedb_test

import (
	"bytes"
	"context"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/dbaddr"

	"calbridge/wpstore/sitedb"
)

// between returns an address that leads to the server at another one, and calls before with
// what is sent there.
func between(t *testing.T, cfg *mysql.Config, before func(sent []byte)) dbaddr.Address {
	t.Helper()
	through := cfg.Clone()
	through.Net, through.Addr = "unix", filepath.Join(t.TempDir(), "hold.sock")
	listener, err := net.Listen("unix", through.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			server, err := net.Dial(cfg.Net, cfg.Addr)
			if err != nil {
				client.Close()
				continue
			}
			go carry(client, server, func([]byte) {})
			go carry(server, client, before)
		}
	}()
	return dbaddr.Address{MySQL: through}
}

// carry copies until one of the connections ends, and then ends both.
func carry(to, from net.Conn, before func([]byte)) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		if before(buffer[:n]); err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// TestWritersDoNotWait: while the COMMIT of one transaction takes its time, another one
// makes an event, and one with the same name waits.
func TestWritersDoNotWait(t *testing.T) {
	var armed atomic.Bool
	held, release := make(chan struct{}, 1), make(chan struct{})
	f := crowded(t, func(sent []byte) {
		if bytes.Contains(sent, []byte("\x03COMMIT")) && armed.CompareAndSwap(true, false) {
			held <- struct{}{}
			<-release
		}
	})
	begin := func(title string) chan error {
		made := make(chan error, 1)
		go func() {
			made <- write(t.Context(), f.db.Session(nil), func(tx *sitedb.Tx) error {
				_, err := saveEvent(context.WithoutCancel(t.Context()), tx, title, "2027-01-01 10:00:00")
				return err
			})
		}()
		return made
	}
	// One that is alone would write the calendar's options itself.
	idle, begun := make(chan error, 1), make(chan struct{})
	go func() {
		idle <- write(t.Context(), f.db.Session(nil), func(*sitedb.Tx) error { close(begun); <-release; return nil })
	}()
	<-begun
	armed.Store(true)
	first := begin("First")
	<-held
	for _, title := range []string{"Second", "Third"} {
		select {
		case err := <-begin(title):
			f.OK(err)
		case <-time.After(20 * time.Second):
			t.Errorf("%s waits for the COMMIT of another event", title)
		}
	}
	same := begin("First")
	select {
	case <-same:
		t.Error("an event of the same name was made before")
	case <-time.After(100 * time.Millisecond):
	}
	close(release)
	f.OK(<-first)
	f.OK(<-same)
	f.OK(<-idle)
	if got := f.texts("SELECT post_name FROM wp_posts ORDER BY post_name"); len(got) != 4 || got[1] != "first-2" {
		t.Errorf("slugs %q", got)
	}
	f.rangeIsRight(t, "after all")
}

// TestRangeOfTwoProcesses: a process that has read the range of all events writes it before
// another process reads it. The lock is that of the options: of the saved time, which is
// written first, and of the range.
func TestRangeOfTwoProcesses(t *testing.T) {
	var armed atomic.Bool
	held, release := make(chan struct{}, 1), make(chan struct{})
	f := crowded(t, func(sent []byte) {
		if bytes.Contains(sent, []byte("options.update")) && armed.CompareAndSwap(true, false) {
			held <- struct{}{}
			<-release
		}
	})
	begin := func(process int, start string) chan error {
		made := make(chan error, 1)
		go func() {
			made <- write(t.Context(), f.processes[process].Session(nil), func(tx *sitedb.Tx) error {
				_, err := saveEvent(t.Context(), tx, "Event "+start, start)
				return err
			})
		}()
		return made
	}
	f.OK(<-begin(0, "2027-06-01 10:00:00"))
	armed.Store(true)
	first := begin(0, "2027-05-01 10:00:00")
	<-held
	second := begin(1, "2027-04-01 10:00:00")
	time.Sleep(300 * time.Millisecond) // without the lock it would be through
	close(release)
	f.OK(<-first)
	f.OK(<-second)
	f.rangeIsRight(t, "written by both")
}
