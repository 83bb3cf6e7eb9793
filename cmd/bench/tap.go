package main

import (
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mysqlwire"
)

// tap is a proxy between a server and its database that records the statements.
type tap struct {
	dsn      string // address of the database through the tap
	target   *mysql.Config
	listener net.Listener

	mu    sync.Mutex
	seen  []string
	first map[int]bool // indexes into seen of the statements that began a round trip
}

// newTap listens on a socket in a directory.
func newTap(dsn, dir string) (*tap, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	t := &tap{target: cfg}
	through := cfg.Clone()
	through.Net, through.Addr = "unix", filepath.Join(dir, "tap.sock")
	t.dsn = through.FormatDSN()
	if t.listener, err = net.Listen("unix", through.Addr); err != nil {
		return nil, err
	}
	go t.serve()
	return t, nil
}

func (t *tap) close() { _ = t.listener.Close() }

// statements returns the statements that have passed since the last call.
func (t *tap) statements() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := t.seen
	t.seen, t.first = nil, nil
	return seen
}

// counts returns how many statements have passed since the last call, and in how many round
// trips. Statements that were sent together make one round trip. Statements with the prefix
// without are left out, as are round trips that begin with one.
func (t *tap) counts(without string) (statements, trips int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, text := range t.seen {
		if strings.HasPrefix(text, without) {
			continue
		}
		statements++
		if t.first[i] {
			trips++
		}
	}
	t.seen, t.first = nil, nil
	return statements, trips
}

func (t *tap) serve() {
	for {
		client, err := t.listener.Accept()
		if err != nil {
			return // closed
		}
		server, err := net.Dial(t.target.Net, t.target.Addr)
		if err != nil {
			client.Close()
			continue
		}
		go func() {
			defer client.Close()
			_, _ = io.Copy(client, server)
		}()
		go func() {
			defer server.Close()
			_ = t.pass(server, client)
		}()
	}
}

// pass forwards packets to the server and records the statements in them.
func (t *tap) pass(server io.Writer, client io.Reader) error {
	packets := mysqlwire.NewReader(client, 64<<10)
	var out []byte
	for {
		alone := packets.Buffered() == 0 // no earlier packet of this batch is still unread
		sequence, err := packets.Follow()
		if err != nil {
			return err
		}
		packet, _, err := packets.Read(math.MaxInt)
		if err != nil {
			return fmt.Errorf("in a packet: %w", err)
		}
		if sequence == 0 && len(packet) > 1 && packet[0] == mysqlwire.ComQuery {
			t.mu.Lock()
			if alone {
				if t.first == nil {
					t.first = map[int]bool{}
				}
				t.first[len(t.seen)] = true
			}
			t.seen = append(t.seen, string(packet[1:]))
			t.mu.Unlock()
		}
		out = mysqlwire.AppendPacket(out[:0], sequence, packet)
		if _, err := server.Write(out); err != nil {
			return err
		}
	}
}
