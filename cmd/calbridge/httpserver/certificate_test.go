package httpserver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair writes a certificate for 127.0.0.1 that expires at end.
func writePair(t *testing.T, end time.Time) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, data []byte) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("cert.pem", "CERTIFICATE", der), write("key.pem", "PRIVATE KEY", secret)
}

func TestLoad(t *testing.T) {
	cert, key := writePair(t, time.Now().Add(time.Hour))
	_, otherKey := writePair(t, time.Now().Add(time.Hour))
	for _, c := range []struct{ cert, key, want string }{
		{cert, "", "belong together"}, {"", key, "belong together"}, {cert, otherKey, "--tls-cert, --tls-key: "},
		{"missing.pem", key, "cannot read missing.pem: no such file"}, {key, cert, "--tls-cert, --tls-key: "},
	} {
		if _, err := NewCertificate(nil).Load(c.cert, c.key); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v", c.cert, c.key, err)
		}
	}
	c := NewCertificate(nil)
	use, err := c.Load("", "")
	if err != nil {
		t.Fatal(err)
	}
	use()
	if c.config() != nil {
		t.Error("TLS without a certificate")
	}
	if use, err = c.Load(cert, key); err != nil {
		t.Fatal(err)
	}
	if c.config() != nil {
		t.Error("in use at once")
	}
	if use(); c.config() == nil {
		t.Error("not in use")
	}
}

// TestServe checks that a hardened server speaks TLS 1.2 and later with the certificate in
// use, and that it closes a connection above the limit.
func TestServe(t *testing.T) {
	var ends []time.Time
	first, second := time.Now().Add(time.Hour).Truncate(time.Second), time.Now().Add(2*time.Hour).Truncate(time.Second)
	certificate := NewCertificate(func(end time.Time) { ends = append(ends, end) })
	load := func(end time.Time) {
		use, err := certificate.Load(writePair(t, end))
		if err != nil {
			t.Fatal(err)
		}
		use()
	}
	load(first)
	rejected := make(chan bool, 10)
	server := New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") }), time.Second, slog.New(slog.DiscardHandler))
	Harden(server, certificate, 1, func() { rejected <- true })
	idle, observe := make(chan bool, 10), server.ConnState
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if observe(conn, state); state == http.StateIdle {
			idle <- true
		}
	}
	l, err := Listen("127.0.0.1:0", "listen")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = Serve(server, l) }()
	defer server.Close()
	ask := func(version uint16) (time.Time, error) {
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: version}}}
		resp, err := client.Get("https://" + l.Addr().String())
		if err != nil {
			return time.Time{}, err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		<-idle // otherwise the server would reject the next connection instead of closing this one
		return resp.TLS.PeerCertificates[0].NotAfter, nil
	}
	if end, err := ask(tls.VersionTLS13); err != nil || !end.Equal(first) {
		t.Errorf("certificate until %s: %v", end, err)
	}
	load(second)
	if end, err := ask(tls.VersionTLS12); err != nil || !end.Equal(second) {
		t.Errorf("certificate until %s: %v", end, err)
	}
	select {
	case <-rejected: // the first connection, which was idle, was closed
	case <-time.After(10 * time.Second):
		t.Error("two connections are open")
	}
	if _, err := ask(tls.VersionTLS11); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
	if len(ends) != 2 || !ends[0].Equal(first) || !ends[1].Equal(second) {
		t.Errorf("reported: %v", ends)
	}
}

// TestServePlain checks that a hardened server without a certificate speaks HTTP and closes
// the connection after a chunked body.
func TestServePlain(t *testing.T) {
	server := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }), time.Second, slog.New(slog.DiscardHandler))
	Harden(server, NewCertificate(nil), 10, func() {})
	l, err := Listen("127.0.0.1:0", "listen")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = Serve(server, l) }()
	defer server.Close()
	for _, chunked := range []bool{false, true} {
		body := io.Reader(strings.NewReader("x"))
		if chunked {
			body = io.MultiReader(body)
		}
		resp, err := http.Post("http://"+l.Addr().String(), "text/plain", body)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(text) != "x" || resp.Close != chunked {
			t.Errorf("chunked %v: %q, closed %v", chunked, text, resp.Close)
		}
	}
}
