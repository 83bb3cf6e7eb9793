package systemtest

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/mysqlwire"
)

// TestDatabaseRefuses checks that the message about a server that refuses is clear and does not
// contain the password.
func TestDatabaseRefuses(t *testing.T) {
	for _, c := range []struct {
		code          uint16
		message, want string
	}{
		{1045, "Access denied for user 'wp'@'localhost' (using password: YES)", "access denied for user \"wp\": check the user and the password (DB_USER"},
		{1049, "Unknown database 'wordpress'", "there is no database \"wordpress\" on this server: check the name of the database (DB_NAME"},
		{1040, "Too many connections", "all its connections are taken"},
	} {
		addr := refusingServer(t, c.code, c.message)
		file := filepath.Join(t.TempDir(), "wp-config.php")
		php := "<?php define('DB_NAME','wordpress'); define('DB_USER','wp'); define('DB_PASSWORD','geheim'); define('DB_HOST','" + addr + "'); $table_prefix = 'wp_';"
		if err := os.WriteFile(file, []byte(php), 0o600); err != nil {
			t.Fatal(err)
		}
		code, _, stderr := once(t, nil, "serve", "--wp-config", file, "--listen", "127.0.0.1:0", "--ops-listen", "off")
		if code != cmdline.Failed || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "geheim") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		code, found := checkReport(t, "--wp-config", file)
		if f := found["database.connection"]; code != cmdline.Failed || !strings.Contains(f.Found, c.want) || strings.Contains(f.Found, "geheim") {
			t.Errorf("check: exit %d: %+v", code, f)
		}
	}
}

// refusingServer sends the greeting of a MySQL server and then refuses every login.
func refusingServer(t *testing.T, code uint16, message string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	greeting := "\x0a5.5.5-10.11.6-MariaDB\x00" + "\x01\x00\x00\x00" + "12345678\x00" +
		"\xff\xf7\x2d\x02\x00\xff\x81\x15" + strings.Repeat("\x00", 10) + "123456789012\x00mysql_native_password\x00"
	refusal := "\xff" + string(binary.LittleEndian.AppendUint16(nil, code)) + "#28000" + message
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.WriteString(conn, packet(0, greeting))
				login := mysqlwire.NewReader(conn, 1<<10)
				if _, err := login.Follow(); err == nil {
					_, _, _ = login.Read(0)
				}
				_, _ = io.WriteString(conn, packet(2, refusal))
			}()
		}
	}()
	return l.Addr().String()
}

func packet(sequence byte, payload string) string {
	return string(mysqlwire.AppendPacket(nil, sequence, []byte(payload)))
}
