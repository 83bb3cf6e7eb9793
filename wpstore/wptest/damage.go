package wptest

import (
	"encoding/binary"
	"io"
	"maps"
	"net"
	"strings"
	"sync"
	"testing"
)

// Damager is an address in front of a server. It responds to some statements itself, with a
// packet that no server sends: the description of a column whose catalog is longer than the
// packet, by a length that is negative as an int64. It does not support TLS.
type Damager struct {
	Addr string

	mu      sync.Mutex
	damages func(statement string) bool
	seen    map[string]bool
	damaged map[string]int
}

// StartDamager opens an address in front of a server. It damages nothing yet.
func StartDamager(t testing.TB, to *Node) *Damager {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &Damager{Addr: l.Addr().String(), seen: map[string]bool{}, damaged: map[string]int{}, damages: func(string) bool { return false }}
	var conns sync.Map
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to.Addr())
			if err != nil {
				in.Close()
				continue
			}
			conns.Store(in, out)
			go func() { _, _ = io.Copy(in, out); in.Close(); out.Close() }()
			go func() { d.forward(out, in); in.Close(); out.Close(); conns.Delete(in) }()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		conns.Range(func(in, out any) bool { in.(net.Conn).Close(); out.(net.Conn).Close(); return true })
	})
	return d
}

// DSN returns [Node.DSN] through the damager.
func (d *Damager) DSN(database string) string { return nodeDSN(d.Addr, database) }

// Damage selects by their names the statements whose response is the damaged packet.
func (d *Damager) Damage(which func(name string) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.damages = which
}

// Damaged returns the number of damaged responses for each statement.
func (d *Damager) Damaged() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.damaged)
}

// Seen returns the names of all statements that were sent.
func (d *Damager) Seen() (names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name := range d.seen {
		names = append(names, name)
	}
	return names
}

// statementName returns the name of a statement from its comment, or its first two words.
func statementName(statement string) string {
	if after, ok := strings.CutPrefix(statement, "/* "); ok {
		name, _, _ := strings.Cut(after, " */")
		return name
	}
	words := strings.Fields(statement)
	return strings.Join(words[:min(2, len(words))], " ")
}

// forward forwards packets of the client, except for the statements that it responds to.
func (d *Damager) forward(server, client net.Conn) {
	const comQuery = 3
	for header := make([]byte, 4); ; {
		if _, err := io.ReadFull(client, header); err != nil {
			return
		}
		size := int(header[0]) | int(header[1])<<8 | int(header[2])<<16
		packet := append(make([]byte, 0, 4+size), header...)[:4+size]
		if _, err := io.ReadFull(client, packet[4:]); err != nil {
			return
		}
		if header[3] == 0 && size > 0 && packet[4] == comQuery && d.wants(statementName(string(packet[5:]))) {
			column := binary.LittleEndian.AppendUint64([]byte{0xfe}, 0x7fff_ffff_ffff_ffff)
			answer := append([]byte{1, 0, 0, 1, 1}, byte(len(column)), 0, 0, 2)
			if _, err := client.Write(append(answer, column...)); err != nil {
				return
			}
			continue
		}
		if _, err := server.Write(packet); err != nil {
			return
		}
	}
}

func (d *Damager) wants(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[name] = true
	if !d.damages(name) {
		return false
	}
	d.damaged[name]++
	return true
}
