package server

import (
	"crypto/tls"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
)

// TestConnectionAdvice: refusals that no server of the tests makes.
func TestConnectionAdvice(t *testing.T) {
	for want, err := range map[string]error{
		"tls=true to --dsn":            &mysql.MySQLError{Number: 3159},
		"offline_mode = OFF":           &mysql.MySQLError{Number: 3032},
		"tls=skip-verify in --dsn":     &tls.CertificateVerificationError{Err: errors.New("unknown authority")},
		"caching_sha2_password":        mysql.ErrUnknownPlugin,
		"allowCleartextPasswords=true": mysql.ErrCleartextPassword,
	} {
		got := Advise(&mysql.Config{User: "site", Passwd: "secret"}, err)
		if !strings.Contains(got.Error(), want) || strings.Contains(got.Error(), "secret") || !errors.Is(got, wpstore.ErrUnavailable) {
			t.Errorf("%v: %v", err, got)
		}
	}
}
