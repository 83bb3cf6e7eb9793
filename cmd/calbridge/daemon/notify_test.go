package daemon

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestNotify(t *testing.T) {
	dir, err := os.MkdirTemp("", "cb") // the path of t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := notify("", "READY=1"); err != nil {
		t.Error(err)
	}
	if err := notify(filepath.Join(dir, "none"), "READY=1"); err == nil {
		t.Error("a missing socket is no error")
	}
	for _, name := range []string{filepath.Join(dir, "socket"), fmt.Sprintf("@calbridge-test-%d", os.Getpid())} {
		conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: name, Net: "unixgram"})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := notify(name, "READY=1", "STATUS=x"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		if n, err := conn.Read(buf); err != nil || string(buf[:n]) != "READY=1\nSTATUS=x" {
			t.Errorf("%s: %q, %v", name, buf[:n], err)
		}
	}
}
