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

	"calbridge/wpstore/sitedb"
)

// commitHolder passes bytes between a store and its server, and holds the COMMIT of one
// transaction while it is armed.
type commitHolder struct {
	armed   atomic.Bool
	held    chan struct{} // gets a value when a COMMIT is held
	release chan struct{}
}

// between returns a DSN that leads through the holder.
func (h *commitHolder) between(t *testing.T, dsn string) string {
	t.Helper()
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
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
			go carry(server, client, func(sent []byte) {
				if bytes.Contains(sent, []byte("\x03COMMIT")) && h.armed.CompareAndSwap(true, false) {
					h.held <- struct{}{}
					<-h.release
				}
			})
		}
	}()
	return through.FormatDSN()
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
	h := &commitHolder{held: make(chan struct{}, 1), release: make(chan struct{})}
	f := crowded(t, func(cfg *sitedb.Config) { cfg.DSN = h.between(t, cfg.DSN) })
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
	h.armed.Store(true)
	first := begin("First")
	<-h.held
	for _, title := range []string{"Second", "Third"} {
		select {
		case err := <-begin(title):
			f.ok(err)
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
	close(h.release)
	f.ok(<-first)
	f.ok(<-same)
	if got := f.texts("SELECT post_name FROM wp_posts ORDER BY post_name"); len(got) != 4 || got[1] != "first-2" {
		t.Errorf("slugs %q", got)
	}
	f.rangeIsRight(t, "after all")
}
