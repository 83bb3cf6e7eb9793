package mysqlwire

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"hash"
	"io"
	"math/big"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// fake is the server's side of the protocol, from its documentation, for what no
// real server at hand does. That the driver can log in to it is part of its tests.
type fake struct {
	t        *testing.T
	version  string
	greeting string // "" for the usual one
	plugin   string // offered
	switchTo string // "" for no switch
	password string
	cached   bool // caching_sha2_password knows the password by heart
	key      *rsa.PrivateKey
	tls      *tls.Config
	answers  map[string][]string // packets by command; others are OK
}

// listen serves connections until the test ends, and returns the settings of a
// client.
func (f *fake) listen(network string) *mysql.Config {
	f.t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(f.t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = c.SetDeadline(time.Now().Add(2 * time.Minute))
			f.serve(&peer{Reader: NewReader(c, connBuffer), net: c})
			c.Close()
		}
	}()
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.Timeout = "someone", "secret", network, l.Addr().String(), time.Minute
	return cfg
}

// peer is a server's end of a connection.
type peer struct {
	*Reader
	net    net.Conn
	secure bool
}

func (p *peer) write(payload []byte) error {
	_, err := p.net.Write(AppendPacket(nil, p.sequence, payload))
	p.sequence++
	return err
}

// Capabilities of the protocol, and authentication plugins.
const (
	clientLongPassword = 1 << 0
	clientProtocol41   = 1 << 9
	clientTransactions = 1 << 13
	clientSecure       = 1 << 15
	clientPluginAuth   = 1 << 19

	utf8mb4GeneralCI = 45

	pluginNative      = "mysql_native_password"
	pluginCachingSHA2 = "caching_sha2_password"
	pluginCleartext   = "mysql_clear_password"
)

func digest(h hash.Hash, parts ...[]byte) []byte {
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

func xor(a, b []byte) []byte {
	for i := range a {
		a[i] ^= b[i]
	}
	return a
}

// alreadyRead is a connection of which a part waits in a buffer.
type alreadyRead struct {
	net.Conn
	io.Reader
}

func (a alreadyRead) Read(p []byte) (int, error) { return a.Reader.Read(p) }

const challenge = "abcdefghijklmnopqrst"

func (f *fake) serve(c *peer) {
	capabilities := uint32(clientLongPassword | clientProtocol41 | clientSecure | clientPluginAuth | clientTransactions)
	if f.tls != nil {
		capabilities |= clientSSL
	}
	g := append([]byte{10}, f.version+"\x00"...)
	g = append(append(g, 1, 0, 0, 0), challenge[:8]+"\x00"...)
	g = binary.LittleEndian.AppendUint16(g, uint16(capabilities))
	g = append(g, utf8mb4GeneralCI, 2, 0)
	g = binary.LittleEndian.AppendUint16(g, uint16(capabilities>>16))
	g = append(append(append(g, 21), make([]byte, 10)...), challenge[8:]+"\x00"+f.plugin+"\x00"...)
	if f.greeting != "" {
		g = []byte(f.greeting)
	}
	_ = c.write(g)
	data, _, err := c.Read(replyLimit)
	if err != nil {
		return
	}
	if f.tls != nil && len(data) == 32 {
		encrypted := tls.Server(alreadyRead{c.net, c.in}, f.tls)
		c.net = encrypted
		c.in = bufio.NewReader(encrypted)
		c.secure = true
		if data, _, err = c.Read(replyLimit); err != nil {
			return
		}
	}
	r := Fields{Rest: data}
	r.Skip(32)
	user := string(r.UntilZero())
	answer := bytes.Clone(r.LengthEncodedBytes())
	if user != "someone" || !f.accepts(c, answer) {
		_ = c.write(append([]byte{PacketError, 0x15, 0x04}, "#28000Access denied"...))
		return
	}
	_ = c.write([]byte(okay))
	for {
		if _, err := c.Follow(); err != nil {
			return
		}
		command, _, err := c.Read(replyLimit)
		if err != nil || len(command) == 0 {
			return
		}
		packets, listed := f.answers[string(command)]
		if !listed {
			packets = []string{okay}
		}
		for _, payload := range packets {
			_ = c.write([]byte(payload))
		}
	}
}

// accepts goes on with the password's proof.
func (f *fake) accepts(c *peer, answer []byte) bool {
	plugin := f.plugin
	if f.switchTo != "" {
		plugin = f.switchTo
		_ = c.write([]byte("\xfe" + plugin + "\x00" + challenge + "\x00"))
		data, _, err := c.Read(replyLimit)
		if err != nil {
			return false
		}
		answer = bytes.Clone(data)
	}
	sum1 := func(parts ...[]byte) []byte { return digest(sha1.New(), parts...) }
	sum256 := func(parts ...[]byte) []byte { return digest(sha256.New(), parts...) }
	switch plugin {
	case pluginNative:
		stored := sum1(sum1([]byte(f.password)))
		return len(answer) == sha1.Size && bytes.Equal(sum1(xor(answer, sum1([]byte(challenge), stored))), stored)
	case pluginCachingSHA2:
		if f.cached {
			stored := sum256(sum256([]byte(f.password)))
			if len(answer) != sha256.Size || !bytes.Equal(sum256(xor(answer, sum256(stored, []byte(challenge)))), stored) {
				return false
			}
			_ = c.write([]byte{PacketMore, 3})
			return true
		}
		_ = c.write([]byte{PacketMore, 4})
		data, _, err := c.Read(replyLimit)
		if err != nil {
			return false
		}
		if c.secure || f.key == nil { // TLS or a socket
			return string(data) == f.password+"\x00"
		}
		public, _ := x509.MarshalPKIXPublicKey(&f.key.PublicKey)
		_ = c.write(append([]byte{PacketMore}, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})...))
		if data, _, err = c.Read(replyLimit); err != nil {
			return false
		}
		plain, err := rsa.DecryptOAEP(sha1.New(), nil, f.key, data, nil)
		return err == nil && string(xor(plain, bytes.Repeat([]byte(challenge), 4)[:len(plain)])) == f.password+"\x00"
	}
	return false
}

// certificate makes one for a server of a test.
func certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"db.example"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
