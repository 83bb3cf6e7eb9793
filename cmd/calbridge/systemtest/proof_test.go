package systemtest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// provenSite is a process in mode auto in front of a reference that stands in for WordPress.
type provenSite struct {
	*child
	ref *reference
}

// report returns what the process reports as proved.
func (s *provenSite) report() (r proof.Report) {
	s.t.Helper()
	_, body := fetch(s.t, s.ops+"/proof")
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		s.t.Fatalf("%v: %s", err, body)
	}
	return r
}

// isNative requests an event. It reports whether calbridge answered the request itself.
func (s *provenSite) isNative(event string) bool {
	s.t.Helper()
	resp, body := fetch(s.t, s.api+"/wp-json/calendar/events/v1/events/"+event)
	if resp.StatusCode != 200 {
		s.t.Fatalf("%d %s", resp.StatusCode, body)
	}
	return resp.Header.Get("X-Powered-By") == ""
}

// shape returns the only shape that the test requests.
func (s *provenSite) shape() proof.Proof {
	s.t.Helper()
	for _, p := range s.report().Shapes {
		if p.Route == "/events/{id}" {
			return p
		}
	}
	return proof.Proof{}
}

// TestProofsSurvive checks that a reload keeps shapes and objects. After SIGKILL, shapes count
// again after one more identical response, and objects are gone. After a difference, the saved proofs
// are removed at once, so that SIGKILL does not bring them back.
func TestProofsSurvive(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and proves for a second")
	}
	dsn, state := wptest.Replicated(t), filepath.Join(t.TempDir(), "state")
	newCoherentSite(t, dsn, 6)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	serve := func() *provenSite {
		t.Helper()
		return &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "exact", "--mode", "auto", "--upstream", ref.URL,
			"--proof-comparisons", "3", "--proof-time", "1s", "--proof-without-companion", "--state-dir", state), ref}
	}
	s := serve()
	event, other := strconv.Itoa(synthetic.FirstEvent), strconv.Itoa(synthetic.FirstEvent+1)
	waitFor(t, func() bool { return s.isNative(event) })
	if s.isNative(other) && s.shape().Identical < 3 {
		t.Error("another event is answered natively before it was seen")
	}
	waitFor(t, func() bool { return s.isNative(other) })

	s.reload()
	waitFor(t, func() bool { return strings.Contains(s.stderr.String(), "msg=reloaded") }) // the log arrives later
	if log := s.stderr.String(); !strings.Contains(log, "saved proofs are still valid") || strings.Contains(log, "objects=0") {
		t.Fatalf("after a reload:\n%s", log)
	}
	if !s.isNative(event) || !s.isNative(other) {
		t.Errorf("after a reload: %+v", s.report())
	}
	file := filepath.Join(state, "proof", "proofs")
	waitFor(t, func() bool { _, err := os.Stat(file); return err == nil })
	for path, want := range map[string]fs.FileMode{state: 0o700, filepath.Dir(file): 0o700, file: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), event) || !strings.Contains(string(data), "/events/{id}") {
		t.Errorf("%v %s", err, data)
	}

	before := s.shape().Identical
	s.signal(syscall.SIGKILL)
	_ = s.wait(time.Minute)
	s = serve()
	waitFor(t, func() bool {
		return strings.Contains(s.stderr.String(), "count again after one more identical response")
	})
	if p := s.shape(); !p.Kept || p.State != proof.Proving {
		t.Errorf("after SIGKILL: %+v", p)
	}
	if s.isNative(event) {
		t.Error("after SIGKILL an event is answered natively that was not seen since")
	}
	waitFor(t, func() bool { return s.isNative(event) })
	if p := s.shape(); p.State != proof.Proven || p.Identical != before+1 {
		t.Errorf("one more answer after SIGKILL: %+v", p)
	}
	if s.isNative(other) {
		t.Error("objects have survived SIGKILL")
	}

	ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"no"`})
	waitFor(t, func() bool { s.isNative(event); return s.shape().State == proof.Differing })
	waitFor(t, func() bool { _, err := os.Stat(file); return errors.Is(err, fs.ErrNotExist) }) // a moment later
	s.signal(syscall.SIGKILL)
	_ = s.wait(time.Minute)
	s = serve()
	if s.isNative(event) || s.shape().Kept {
		t.Errorf("%+v", s.shape())
	}
}
