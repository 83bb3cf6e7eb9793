package sqlconn

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

// TestServerKeyOfAServer logs in on MySQL by caching_sha2_password without TLS, for statements
// and for the binary log. The password is encrypted for the key in the DSN's file, which is
// the server's or not.
func TestServerKeyOfAServer(t *testing.T) {
	port := strconv.Itoa(wptest.FreePort(t))
	root := wptest.Replicated(t, "--skip-grant-tables=0", "--skip-networking=0", "--bind-address=127.0.0.1", "--port="+port)
	admin := mustOpen(t, Config{Database: wptest.Address(t, root)})
	var served string
	var ignored any
	err := admin.SQL().QueryRow("SHOW STATUS LIKE 'Caching\\_sha2\\_password\\_rsa\\_public\\_key'").Scan(&ignored, &served)
	if err != nil || served == "" {
		t.Logf("the server has no such plugin: .ci/engines has one that does (%v)", err)
		return
	}
	cfg, err := mysql.ParseDSN(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, right := range map[string]bool{"right.pem": true, "wrong.pem": false} {
		file, key := filepath.Join(dir, name), served
		if !right {
			other, err := rsa.GenerateKey(rand.Reader, 2048)
			if err != nil {
				t.Fatal(err)
			}
			data, err := x509.MarshalPKIXPublicKey(&other.PublicKey)
			if err != nil {
				t.Fatal(err)
			}
			key = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: data}))
		}
		if err := os.WriteFile(file, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		user := strings.TrimSuffix(name, ".pem") // each new to the server, which remembers passwords
		for _, statement := range []string{
			"CREATE USER " + user + "@'%' IDENTIFIED WITH caching_sha2_password BY 'secret'",
			"GRANT ALL ON *.* TO " + user + "@'%'",
		} {
			if _, err := admin.SQL().Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		own := mustConfig(t, user+":secret@tcp("+net.JoinHostPort("127.0.0.1", port)+")/"+cfg.DBName+"?serverPubKey="+file)
		stream, err := binlog.Open(t.Context(), binlog.Config{MySQL: own, Columns: func(*binlog.Table) []int { return nil }})
		var refused *mysql.MySQLError
		if right && err != nil || !right && !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			stream.Close()
		}
		if s, err := Open(t.Context(), Config{Database: dbaddr.Address{MySQL: own}}, nil); (err == nil) != right {
			t.Errorf("%s: %v", name, err)
		} else if err == nil {
			s.Close()
		}
	}
}

func mustConfig(t *testing.T, dsn string) *mysql.Config {
	t.Helper()
	cfg, err := server.DriverConfig(&server.Settings{}, wptest.Server(t, dsn), "")
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
