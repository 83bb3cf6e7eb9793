package wordpress_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/wpstore/wptest"
)

// codeEvery is how often calbridge checks WordPress's code in the tests. PHP itself checks
// every two seconds.
const codeEvery = time.Second

// autoSite is calbridge in mode auto in front of a WordPress with a calendar.
type autoSite struct {
	*site
	base, ops string
	program   string
	events    []int64
	client    *http.Client
	reload    func()
}

// newAutoSite returns a site with events and calbridge in front of it, started with
// further flags.
func newAutoSite(t *testing.T, flags ...string) *autoSite {
	t.Helper()
	s := newCalendarSite(t)
	s.serveAuto(buildCalbridge(t), flags...)
	return s
}

// newCalendarSite returns a site with events.
func newCalendarSite(t *testing.T) *autoSite {
	t.Helper()
	s := &autoSite{
		site:   newSiteOn(t, func(t testing.TB) string { return wptest.Replicated(t) }, ""),
		client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableCompression: true}},
	}
	if err := os.MkdirAll(filepath.Join(s.dir, "wp-content/plugins/the-events-calendar"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.copy("testdata/calendar/the-events-calendar.php", "wp-content/plugins/the-events-calendar/the-events-calendar.php")
	s.php(`update_option('active_plugins', ['the-events-calendar/the-events-calendar.php'])`)
	s.php(`update_option('permalink_structure', '/%%postname%%/')`)
	s.php(`flush_rewrite_rules()`)
	for i := range 6 {
		id := s.id(`wp_insert_post(['post_title' => 'Event %d', 'post_content' => '<p>Text</p>', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'post_author' => 1, 'meta_input' => [
			'_EventStartDate' => '2030-01-0%[2]d 10:00:00', '_EventEndDate' => '2030-01-0%[2]d 12:00:00', '_EventStartDateUTC' => '2030-01-0%[2]d 10:00:00', '_EventEndDateUTC' => '2030-01-0%[2]d 12:00:00',
			'_EventTimezone' => 'UTC', '_EventTimezoneAbbr' => 'UTC', '_EventDuration' => '7200', '_EventShowMap' => '1', '_EventShowMapLink' => '1', '_EventCost' => '', '_EventURL' => '', '_EventCurrencySymbol' => '']])`, i, i+1)
		s.events = append(s.events, id)
	}
	return s
}

// serveAuto starts calbridge.
func (s *autoSite) serveAuto(program string, flags ...string) {
	s.t.Helper()
	s.program = program
	ctx, stop := context.WithCancel(context.Background())
	wordpress := strings.TrimSuffix(s.url, "/")
	cmd := exec.CommandContext(ctx, program, append([]string{"serve", "--dsn", s.dsn, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--namespace", "tribe/events/v1",
		"--mode", "auto", "--upstream", wordpress, "--upstream-timeout", "1m", "--companion-secret", secret,
		"--proof-comparisons", "3", "--proof-time", "1s", "--proof-sample", "20", "--proof-code-every", codeEvery.String(), "--log-level", "info"}, flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { stop(); _ = cmd.Wait() })
	s.reload = func() {
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			s.t.Fatal(err)
		}
	}
	log, err := os.Create(filepath.Join(s.dir, "calbridge.log"))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if s.t.Failed() {
			for line := range strings.Lines(s.read("calbridge.log")) {
				if !strings.Contains(line, "msg=request") && !strings.Contains(line, `msg="asked WordPress"`) {
					s.t.Log(line)
				}
			}
		}
		_ = log.Close()
	})
	serving := regexp.MustCompile(`msg=serving listen=(\S+) .*ops=(\S+)`)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		fmt.Fprintln(log, lines.Text())
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(log, stderr) }()
			s.base, s.ops = "http://"+found[1], "http://"+found[2]
			return
		}
	}
	s.t.Fatal("calbridge does not serve")
}

// path returns the path of a target, which begins with a slash if it isn't one of the API.
func path(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	return "/wp-json/tribe/events/v1/" + target
}

// get sends a request to calbridge. A header of PHP's server shows that PHP responded.
func (s *autoSite) get(target string) (status int, native bool, header http.Header, body string) {
	s.t.Helper()
	request, err := http.NewRequest(http.MethodGet, s.base+path(target), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	request.Host = strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	res, err := s.client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("X-Powered-By") == "" && res.StatusCode < 500, res.Header, string(text)
}

func (s *autoSite) report() (r proof.Report) {
	s.t.Helper()
	res, err := http.Get(s.ops + "/proof")
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// list is the address of the list of all events.
const list = "events?start_date=2030-01-01&end_date=2030-02-01&per_page=10"

func (s *autoSite) targets() []string {
	all := []string{list}
	for _, id := range s.events {
		all = append(all, fmt.Sprint("events/", id))
	}
	return all
}

// shown returns the events in an answer.
func shown(body string) map[int64]bool {
	var answer struct {
		ID     int64
		Events []struct{ ID int64 }
	}
	_ = json.Unmarshal([]byte(body), &answer)
	ids := map[int64]bool{answer.ID: true}
	for _, e := range answer.Events {
		ids[e.ID] = true
	}
	return ids
}

// prove sends requests until everything except what the site closes is answered natively.
func (s *autoSite) prove(but ...string) {
	s.t.Helper()
	var left []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = nil
		for _, target := range s.targets() {
			if _, native, _, _ := s.get(target); !native && !slices.Contains(but, target) {
				left = append(left, target)
			}
		}
		if len(left) == 0 {
			return
		}
	}
	text, _ := json.MarshalIndent(s.report(), "", " ")
	s.t.Fatalf("not answered natively: %v\n%s", left, text)
}

// change changes code that closes an event, during requests. It returns how long after the
// change calbridge itself last showed the event.
func (s *autoSite) change(closed int64, do func()) (last time.Duration) {
	s.t.Helper()
	do()
	changed := time.Now()
	for time.Since(changed) < phpLooks+3*codeEvery {
		for _, target := range []string{fmt.Sprint("events/", closed), list} {
			asked := time.Now()
			if _, native, _, body := s.get(target); native && shown(body)[closed] {
				last = asked.Sub(changed)
			}
		}
	}
	return last
}

// phpLooks is how long PHP keeps running the old version of a changed file, plus the time
// for which calbridge then treats the file as just changed.
const phpLooks = 4 * time.Second

const guard = `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	return get_post_meta($data['id'], 'KEY', true) ? new WP_Error('members', 'For members.', ['status' => 401]) : $data;
});
`

// TestAutoBesidePHP adds and changes must-use plugins that close events, without changing
// a row, while calbridge answers natively. No closed event may be shown for longer than
// promised. Then WordPress goes down.
func TestAutoBesidePHP(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	s := newAutoSite(t)
	for i, key := range []string{"_members_only", "_staffers_only"} {
		s.php(`update_post_meta(%d, '%s', '1')`, s.events[i], key)
	}
	s.prove()
	s.php(`[wp_update_post(['ID' => %[1]d, 'post_title' => 'Another title']), update_post_meta(%[1]d, '_EventURL', 'https://event.example/')]`, s.events[2])
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) { // the change feed is behind
		_, native, _, body := s.get(fmt.Sprint("events/", s.events[2]))
		if strings.Contains(body, "Another title") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("after PHP has written the event: native %t %.300s", native, body)
		}
	}
	s.prove()

	testAutoDataFile(t, s)
	const file = "wp-content/mu-plugins/guard.php"
	first, second := fmt.Sprint("events/", s.events[0]), fmt.Sprint("events/", s.events[1])
	last := s.change(s.events[0], func() { s.write(file, strings.Replace(guard, "KEY", "_members_only", 1)) })
	t.Logf("a guard added: its event was last shown %s later", last.Round(time.Millisecond))
	if last > 2*codeEvery {
		t.Errorf("a closed event was shown for %s", last)
	}
	if status, native, _, _ := s.get(first); status != http.StatusUnauthorized || native {
		t.Errorf("a closed event: status %d, native %t", status, native)
	}
	if changed := s.report().Changed; !slices.ContainsFunc(changed, func(name string) bool { return strings.HasPrefix(name, "code ") }) {
		t.Errorf("facts that changed: %v", changed)
	}
	s.prove(first, list)
	if os.Getenv("CALBRIDGE_LONG") != "" {
		last := s.change(s.events[1], func() { s.write(file, strings.Replace(guard, "KEY", "_staffers_only", 1)) })
		t.Logf("a guard changed: its event was last shown %s later", last.Round(time.Millisecond))
		if last > phpLooks+2*codeEvery {
			t.Errorf("a closed event was shown for %s", last)
		}
		s.prove(second, list)
		s.remove(file)
		s.prove()
	}
	testAutoAlone(t, s)
	testAutoReload(t, s)
}

// testAutoDataFile adds a plugin that closes the events that a file names, and then changes that file
// alone. The companion reports the change, and the proofs of objects end.
func testAutoDataFile(t *testing.T, s *autoSite) {
	const plugin, file = "wp-content/mu-plugins/file-guard.php", "wp-content/uploads/closed.json"
	if err := os.MkdirAll(filepath.Join(s.dir, "wp-content/uploads"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write(file, "[]")
	s.write(plugin, fileGuard)
	defer func() {
		s.remove(plugin)
		time.Sleep(phpLooks)
		s.prove()
	}()
	time.Sleep(phpLooks)
	s.prove()
	closed := s.events[4]
	last := s.change(closed, func() { s.write(file, fmt.Sprintf("[%d]", closed)) })
	t.Logf("a data file changed: its event was last shown %s later", last.Round(time.Millisecond))
	if last > 2*codeEvery {
		t.Errorf("a closed event was shown for %s", last)
	}
	if status, native, _, _ := s.get(fmt.Sprint("events/", closed)); status != http.StatusUnauthorized || native {
		t.Errorf("a closed event: status %d, native %t", status, native)
	}
	if n := s.report().Tables["file:"+file]; n == 0 {
		t.Errorf("what ended proofs: %v", s.report().Tables)
	}
	s.prove(fmt.Sprint("events/", closed), list)
}

// fileGuard closes the events that a file of the uploads names.
const fileGuard = `<?php
add_filter('tribe_rest_event_data', static function ($data) {
	$closed = json_decode((string) @file_get_contents(wp_upload_dir()['basedir'] . '/closed.json'), true);
	return in_array($data['id'], (array) $closed, true) ? new WP_Error('members', 'For members.', ['status' => 401]) : $data;
});
`

// testAutoAlone checks that without WordPress calbridge keeps answering what is proven and
// refuses the rest.
func testAutoAlone(t *testing.T, s *autoSite) {
	target := fmt.Sprint("events/", s.events[3])
	before := s.report()
	s.stop()
	for end := time.Now().Add(5 * codeEvery); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if status, native, _, body := s.get(target); status != http.StatusOK || !native || !shown(body)[s.events[3]] {
			t.Fatalf("proven: status %d, native %t", status, native)
		}
		status, _, header, _ := s.get("events/999999")
		if status != http.StatusBadGateway && status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
			t.Fatalf("not proven: status %d, %v", status, header)
		}
	}
	after := s.report()
	if after.Seen > before.Seen || after.LastCompared.Sub(before.LastCompared) > time.Second {
		t.Errorf("proofs grew: %d objects, %d before; last comparison %s, %s before", after.Seen, before.Seen, after.LastCompared, before.LastCompared)
	}
}

// testAutoReload checks that nothing is answered natively after a reload while WordPress
// is down, because the code and the facts that the new instance needs are unknown.
func testAutoReload(t *testing.T, s *autoSite) {
	s.reload()
	for end := time.Now().Add(time.Minute); !strings.Contains(s.read("calbridge.log"), "msg=reloaded"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not reloaded")
		}
	}
	for _, target := range s.targets() {
		if status, native, header, _ := s.get(target); native || header.Get("Retry-After") == "" {
			t.Errorf("%s after a reload while WordPress is down: status %d, natively %t, %v", target, status, native, header)
		}
	}
}
