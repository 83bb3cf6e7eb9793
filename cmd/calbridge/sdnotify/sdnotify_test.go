package sdnotify

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestNotifierWithoutManager(t *testing.T) {
	dir, err := os.MkdirTemp("", "cb") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := (Notifier{}).Send("READY=1"); err != nil {
		t.Error(err)
	}
	if err := (Notifier{socket: filepath.Join(dir, "none")}).Send("READY=1"); err == nil {
		t.Error("a socket that is not there is no error")
	}
	name := fmt.Sprintf("calbridge-test-%d", os.Getpid())
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: "@" + name, Net: "unixgram"})
	if err != nil {
		t.Skip(err)
	}
	defer conn.Close()
	if err := (Notifier{socket: "@" + name}).Send("READY=1", "STATUS=x"); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 100)
	if n, err := conn.Read(buf); err != nil || string(buf[:n]) != "READY=1\nSTATUS=x" {
		t.Errorf("%q, %v", buf[:n], err)
	}
}
