package wptest

import (
	"crypto/x509"
	"database/sql"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-sql-driver/mysql"
)

// testLogin returns how tests log in to the servers that they start: "tls",
// "caching_sha2_password" or "ed25519", or "" for an administrator without a password.
func testLogin() string { return os.Getenv("CALBRIDGE_TEST_LOGIN") }

const (
	loginUser     = "tester"
	loginPassword = "s3cret 'quoted'"
)

// loginOptions returns the arguments of a server that allows the login.
func loginOptions() ([]string, error) {
	switch testLogin() {
	case "tls":
		dir, err := certificate()
		return []string{"--ssl-cert=" + filepath.Join(dir, "cert.pem"), "--ssl-key=" + filepath.Join(dir, "key.pem")}, err
	case "ed25519":
		return []string{"--plugin-load-add=auth_ed25519"}, nil
	case "caching_sha2_password":
		return nil, nil
	}
	return nil, fmt.Errorf("CALBRIDGE_TEST_LOGIN=%s: use tls, caching_sha2_password or ed25519", testLogin())
}

// logIn creates the account and returns its DSN.
func logIn(administrator string) (string, error) {
	cfg, err := mysql.ParseDSN(administrator)
	if err != nil {
		return "", err
	}
	db, err := sql.Open("mysql", administrator+"?interpolateParams=true")
	if err != nil {
		return "", err
	}
	defer db.Close()
	const account = loginUser + "@localhost"
	create := map[string]string{
		"tls":                   "CREATE USER IF NOT EXISTS " + account + " IDENTIFIED BY ? REQUIRE SSL",
		"caching_sha2_password": "CREATE USER IF NOT EXISTS " + account + " IDENTIFIED WITH caching_sha2_password BY ?",
		"ed25519":               "CREATE USER IF NOT EXISTS " + account + " IDENTIFIED VIA ed25519 USING PASSWORD(?)",
	}[testLogin()]
	if _, err := db.Exec(create, loginPassword); err != nil {
		return "", fmt.Errorf("%s: %w", create, err)
	}
	if _, err := db.Exec("GRANT ALL PRIVILEGES ON *.* TO " + account + " WITH GRANT OPTION"); err != nil {
		return "", err
	}
	cfg.User, cfg.Passwd = loginUser, loginPassword
	if testLogin() == "tls" {
		cfg.TLSConfig = "skip-verify"
	}
	return cfg.FormatDSN(), nil
}

// certificate is a folder with cert.pem and key.pem for the servers of this process.
var certificate = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "calbridge-cert-"); err != nil {
		return "", err
	}
	return dir, WriteCertificate(dir)
})

// WriteCertificate writes cert.pem and key.pem of a certificate that no authority has
// signed.
func WriteCertificate(dir string) error {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	cert := web.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		return err
	}
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert.Certificate[0]}, "key.pem": {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			return err
		}
	}
	return nil
}
