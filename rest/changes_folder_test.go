package rest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

// mounted mounts something until the test ends. Where that is impossible the test is skipped, or
// fails if CALBRIDGE_REQUIRE_OPS is set.
func mounted(t *testing.T, source, target, kind string, flags uintptr, options string) (unmount func()) {
	t.Helper()
	if err := syscall.Mount(source, target, kind, flags, options); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
			t.Fatalf("nothing can be mounted: %v", err)
		}
		t.Skipf("nothing can be mounted: %v", err)
	}
	done := false
	unmount = func() {
		if !done {
			done = true
			if err := syscall.Unmount(target, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(unmount)
	return unmount
}

// prompt is how long a response about changes may take that the state folder prevents: less than
// a request may, and than a journal is waited for that has just been opened.
const prompt = time.Second

// refusedByFolder asks for changes and a stream, and reports whether the state folder prevents
// both. Each response must come promptly.
func refusedByFolder(t *testing.T, s *changesSite, base string) bool {
	t.Helper()
	began := time.Now()
	a := s.do(ask{target: "events/changes?start_date=2020-01-01"})
	if took := time.Since(began); took > prompt {
		t.Fatalf("%d %s after %v", a.status, a.body, took)
	}
	if a.status == http.StatusOK {
		return false
	}
	if a.outcome() != "503 calbridge_state_dir" || a.header.Get("Retry-After") != "30" || !strings.Contains(a.json("message"), "--state-dir") || strings.Contains(a.body, s.dir) {
		t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	began = time.Now()
	resp, err := http.Get(base + "/events/stream?start_date=2020-01-01")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "30" {
		t.Fatalf("a stream: %s %v", resp.Status, resp.Header)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Contains(text, []byte("calbridge_state_dir")) || time.Since(began) > prompt {
		t.Fatalf("a stream: %s %v after %v", text, err, time.Since(began))
	}
	return true
}

// TestStateFolderFull: once the file system of the state folder is full, requests for changes are
// refused at once, and the refusal names the folder. When there is room again, clients have the
// list again, with what changed meanwhile; so have those whose stream was open all the time.
func TestStateFolderFull(t *testing.T) {
	dir := t.TempDir()
	mounted(t, "tmpfs", dir, "tmpfs", 0, "size=2m")
	s := embeddedChangesSiteIn(t, dir, sqlconn.Config{}, true)
	s.cfg.RequestTimeout = 10 * time.Second
	s.renew()
	base := serveStreams(t, s)
	const args = "start_date=2020-01-01"
	r := newSyncer("", args)
	r.finish(t, s)
	streaming := follow(t, s, base, args)
	streaming.next() // it is connected
	ballast := filepath.Join(dir, "ballast")
	for round := range 2 {
		full := os.WriteFile(ballast, make([]byte, 4<<20), 0o600)
		if !errors.Is(full, syscall.ENOSPC) {
			t.Fatal(full)
		}
		refused := false
		for n := 0; !refused; n++ {
			if n == 2000 {
				t.Fatal("the folder is full, and changes are recorded")
			}
			s.exec("UPDATE wp_posts SET post_title = ? WHERE ID = 101", strings.Repeat("long ", n%50)+"title")
			refused = refusedByFolder(t, s, base)
		}
		s.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102")
		if !refusedByFolder(t, s, base) {
			t.Error("it isn't refused again")
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		time.Sleep(prompt) // a report is recorded again after a pause
		if refusedByFolder(t, s, base) {
			t.Fatal("there is room, and changes aren't recorded")
		}
		r.finish(t, s)
		if differs := r.differs(s); differs != "" || len(r.reasons) > 0 {
			t.Errorf("round %d: %v %s", round, r.reasons, differs)
		}
		streaming.until(s)
		s.exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = 102")
	}
	if len(streaming.resets) > 0 {
		t.Errorf("the stream was reset: %v", streaming.resets)
	}
}

// TestStateFolderRemoved: where somebody removes the state folder, the journal makes it again, and
// clients begin again. Where it can't, requests are refused at once, until it can.
func TestStateFolderRemoved(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "state")
	s := embeddedChangesSiteIn(t, dir, sqlconn.Config{}, true)
	base := serveStreams(t, s)
	r := newSyncer("", "start_date=2020-01-01")
	r.finish(t, s)
	remove := func() {
		t.Helper()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		s.exec("UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101")
	}
	remove()
	r.finish(t, s)
	if _, err := os.Stat(filepath.Join(dir, "journal.sqlite")); err != nil || r.differs(s) != "" || r.reasons["foreign"] != 1 {
		t.Errorf("%v %v %s", err, r.reasons, r.differs(s))
	}
	remove()
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file is where the folder was
		t.Fatal(err)
	}
	s.exec("UPDATE wp_posts SET post_title = 'Another' WHERE ID = 101")
	for range 3 {
		if !refusedByFolder(t, s, base) {
			t.Error("without a folder changes are recorded")
		}
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	time.Sleep(prompt)
	r.finish(t, s)
	if _, err := os.Stat(filepath.Join(dir, "journal.sqlite")); err != nil || r.differs(s) != "" || r.reasons["foreign"] != 2 {
		t.Errorf("%v %v %s", err, r.reasons, r.differs(s))
	}
}

// TestStateFolderReadOnly: a journal that can't be opened for writing is opened as soon as it can.
func TestStateFolderReadOnly(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	base := serveStreams(t, s)
	r := newSyncer("", "start_date=2020-01-01")
	r.finish(t, s)
	s.stop()
	file := filepath.Join(s.dir, "journal.sqlite")
	unmount := mounted(t, file, file, "", syscall.MS_BIND, "")
	if err := syscall.Mount("", file, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	s.start()
	s.exec("UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101")
	for range 3 {
		if !refusedByFolder(t, s, base) {
			t.Error("a file that is read-only is written")
		}
	}
	unmount()
	time.Sleep(2 * prompt)
	r.finish(t, s)
	if differs := r.differs(s); differs != "" {
		t.Error(differs)
	}
}
