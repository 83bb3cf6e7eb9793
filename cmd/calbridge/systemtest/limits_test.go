package systemtest

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
)

// writeCertificate makes a certificate for 127.0.0.1 and writes both files.
func writeCertificate(t *testing.T, certFile, keyFile string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Duration(serial) * 24 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, cert, key, 10)
	c := spawn(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--tls-cert", cert, "--tls-key", key)
	serial := func() (int64, int) {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
		defer client.CloseIdleConnections()
		resp, err := client.Get("https" + strings.TrimPrefix(c.api, "http") + "/wp-json/calendar/events/v1/events?per_page=1")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("status %d", resp.StatusCode)
		}
		return resp.TLS.PeerCertificates[0].SerialNumber.Int64(), resp.ProtoMajor
	}
	if n, proto := serial(); n != 10 || proto != 2 {
		t.Errorf("certificate %d, HTTP/%d", n, proto)
	}
	writeCertificate(t, cert, key, 20)
	c.reload()
	if n, _ := serial(); n != 20 {
		t.Errorf("certificate %d after the reload, want 20", n)
	}
	if err := os.WriteFile(cert, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.reload()
	if n, _ := serial(); n != 20 {
		t.Errorf("certificate %d after a reload that failed, want 20", n)
	}
	_, metrics := fetch(t, c.ops+"/metrics")
	want := fmt.Sprintf("calbridge_tls_certificate_expiry_timestamp_seconds %.4f", float64(time.Now().Add(20*24*time.Hour).Unix())/1e9)
	if !strings.Contains(metrics, want[:len(want)-2]) || !strings.Contains(metrics, "calbridge_config_last_reload_successful 0\n") {
		t.Errorf("the metrics lack %s, or the failed reload", want)
	}
	// A plain request is sent to the TLS port, and one of the two files is replaced.
	if resp, err := http.Get(c.api); err == nil && resp.StatusCode != http.StatusBadRequest {
		t.Errorf("plain HTTP gets %d", resp.StatusCode)
	}
	if code, _, stderr := once(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--listen", "127.0.0.1:0", "--ops-listen", "off", "--tls-cert", key); code != cmdline.Usage || !strings.Contains(stderr, "belong together") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestRateLimit(t *testing.T) {
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--rate-limit", "0.001", "--rate-burst", "3")
	url := s.api + "/wp-json/calendar/events/v1/events?per_page=1"
	paid := func(resp *http.Response) bool { // the time until another request is allowed, minus the time the test took
		wait, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		return err == nil && wait > 500 && wait <= 1000
	}
	for i := range 5 {
		resp, body := fetch(t, url, "X-Forwarded-For", "203.0.113.7")
		if limited := resp.StatusCode == http.StatusTooManyRequests; limited != (i >= 3) {
			t.Errorf("request %d: %d", i, resp.StatusCode)
		} else if limited && (!paid(resp) || !json.Valid([]byte(body)) || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json")) {
			t.Errorf("%v %s", resp.Header, body)
		}
	}
	if resp, _ := fetch(t, url, "X-Forwarded-For", "203.0.113.8"); resp.StatusCode != http.StatusOK {
		t.Errorf("another client gets %d", resp.StatusCode)
	}
	if resp, _ := fetch(t, url, "X-Forwarded-For", "198.51.100.1, 203.0.113.7"); resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a client that invents a hop gets %d", resp.StatusCode)
	}
	if _, body := fetch(t, s.ops+"/metrics"); !strings.Contains(body, `calbridge_http_rejected_total{reason="rate"} 3`) {
		t.Error("the metrics do not tell")
	}
}

// TestLoginTries guesses a password until the program delays the attempts.
func TestLoginTries(t *testing.T) {
	file := sampleFile(t)
	for _, c := range []struct {
		args  []string
		waits int // the first attempt that may have to wait; 0 for none
	}{
		{nil, 12},
		{[]string{"--login-tries", "2"}, 4},
		{[]string{"--login-tries", "0"}, 0},
		{[]string{"--compat", "exact"}, 0},
	} {
		s := start(t, nil, append([]string{"serve", "--dsn", "sqlite:" + file}, c.args...)...)
		waited := false
		// The wait doubles with each attempt, so that it exceeds the time that attempts take
		// here.
		for try := 1; try <= c.waits+12 && !waited; try++ {
			resp, body := fetch(t, s.api+"/wp-json/calendar/events/v1/tags", "Authorization", basicHeader("demo", "guess"), "X-Forwarded-Proto", "https")
			waited = resp.StatusCode == http.StatusTooManyRequests
			if !waited && resp.StatusCode != http.StatusUnauthorized || waited && (c.waits == 0 || try < c.waits) || waited != (resp.Header.Get("Retry-After") != "") {
				t.Errorf("%v, try %d: %d %s", c.args, try, resp.StatusCode, body)
			}
		}
		if waited != (c.waits > 0) {
			t.Errorf("%v: slowed down: %v", c.args, waited)
		}
	}
}

// TestConnLimit opens more connections than allowed, silent and idle ones, and checks that
// requests are still served.
func TestConnLimit(t *testing.T) {
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t), "--max-connections", "20")
	const request = "GET /wp-json/calendar/events/v1/venues?per_page=1 HTTP/1.1\r\nHost: x\r\n\r\n"
	busy := hang(t, s.api)
	for i := range 100 {
		conn, err := net.Dial("tcp", hostOf(s))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			continue // silent
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(conn, request)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("connection %d: %v", i, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
	}
	if resp, _ := fetch(t, s.api+"/wp-json/calendar/events/v1/events?per_page=1"); resp.StatusCode != http.StatusOK {
		t.Errorf("another client gets %d", resp.StatusCode)
	}
	_, metrics := fetch(t, s.ops+"/metrics")
	var rejected int
	if _, after, ok := strings.Cut(metrics, `calbridge_http_rejected_total{reason="connections"} `); ok {
		_, _ = fmt.Sscan(after, &rejected)
	}
	if rejected < 80 || rejected > 90 {
		t.Errorf("%d connections were closed, want about 82", rejected)
	}
	// The request in flight was not interrupted.
	_, _ = io.WriteString(busy, "{}")
	_ = busy.SetDeadline(time.Now().Add(time.Minute))
	if answer, err := bufio.NewReader(busy).ReadString('\n'); err != nil {
		t.Errorf("the request under way: %q, %v", answer, err)
	}
}

// TestSlowHeaders sends headers one byte at a time. It checks that such a connection is closed
// while other clients are served.
func TestSlowHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as clients may take for their headers")
	}
	t.Parallel()
	s := start(t, nil, "serve", "--dsn", "sqlite:"+sampleFile(t))
	conn, err := net.Dial("tcp", hostOf(s))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for i, begin := 0, time.Now(); ; i++ {
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nX: "[i%18:i%18+1]); err != nil {
			break
		}
		if time.Since(begin) > 2*time.Minute {
			t.Fatal("the slow client is served for two minutes")
		}
		if resp, _ := fetch(t, s.api+"/wp-json/calendar/events/v1/venues?per_page=1"); resp.StatusCode != http.StatusOK {
			t.Fatalf("others get %d", resp.StatusCode)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// TestProfiles checks that profiles are offered only if they are enabled, and never on the
// API's address.
func TestProfiles(t *testing.T) {
	file := sampleFile(t)
	for _, c := range []struct {
		args   []string
		status int
	}{{nil, http.StatusNotFound}, {[]string{"--pprof"}, http.StatusOK}} {
		s := start(t, nil, append([]string{"serve", "--dsn", "sqlite:" + file}, c.args...)...)
		if resp, _ := fetch(t, s.ops+"/debug/pprof/goroutine?debug=1"); resp.StatusCode != c.status {
			t.Errorf("%v: profiles get %d, want %d", c.args, resp.StatusCode, c.status)
		}
		resp, _ := fetch(t, s.api+"/debug/pprof/goroutine?debug=1")
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%v: the API's address answers %d", c.args, resp.StatusCode)
		}
		if banner := resp.Header.Get("Server"); banner != "" {
			t.Errorf("the server calls itself %q", banner)
		}
	}
}
