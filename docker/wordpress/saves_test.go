package wordpress_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"calbridge/wpstore/wptest"
)

// savingSite is a WordPress whose listeners log saves, with a calbridge that writes to its
// database.
type savingSite struct {
	*site
	program, base, state string
	flags                []string
	login                http.Header
	stopCalbridge        func(syscall.Signal)
}

func newSavingSite(t *testing.T) *savingSite {
	t.Helper()
	t.Setenv("WP_ENVIRONMENT_TYPE", "local") // application passwords without https
	s := &savingSite{site: newSiteOn(t, wptest.MariaDB, ""), program: buildCalbridge(t), state: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(s.dir, "wp-content/plugins/the-events-calendar"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.copy("testdata/calendar/the-events-calendar.php", "wp-content/plugins/the-events-calendar/the-events-calendar.php")
	s.php(`update_option('active_plugins', ['the-events-calendar/the-events-calendar.php'])`)
	s.copy("testdata/saves.php", "wp-content/mu-plugins/saves.php")
	s.php(`update_option('calbridge_fire_actions', '1')`)
	s.php(`update_option('permalink_structure', '/%%postname%%/')`)
	s.php(`flush_rewrite_rules()`)
	var password string
	if err := json.Unmarshal([]byte(s.php(`WP_Application_Passwords::create_new_application_password(1, ['name' => 'test'])[0]`)), &password); err != nil {
		t.Fatal(err)
	}
	s.login = http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+password))}, "Content-Type": {"application/json"}}
	s.write("wp-content/listens", "")
	s.startCalbridge()
	return s
}

// startCalbridge starts calbridge with a state folder.
func (s *savingSite) startCalbridge() {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, s.program, append([]string{"serve", "--dsn", s.dsn, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--cache", "off",
		"--namespace", "tribe/events/v1", "--define", "WP_ENVIRONMENT_TYPE=local", "--serve-despite-hooks", "--state-dir", s.state, "--companion-url", s.url, "--companion-secret", secret}, s.flags...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.stopCalbridge = func(signal syscall.Signal) {
		_ = cmd.Process.Signal(signal)
		_ = cmd.Wait()
		stop()
	}
	s.t.Cleanup(func() { stop(); _ = cmd.Wait() })
	serving := regexp.MustCompile(`msg=serving listen=(\S+)`)
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			log, err := os.OpenFile(filepath.Join(s.dir, "calbridge.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				s.t.Fatal(err)
			}
			go func() { _, _ = io.Copy(log, stderr); _ = log.Close() }()
			s.base = "http://" + found[1] + "/wp-json/tribe/events/v1/"
			return
		}
	}
	s.t.Fatalf("calbridge does not serve\n%s", said.String())
}

// asked sends a request to calbridge and returns the id in the response.
func (s *savingSite) asked(method, target, body string) int64 {
	s.t.Helper()
	request, err := http.NewRequest(method, s.base+target, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Host, request.Header = strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/"), s.login.Clone()
	res, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	var made struct{ ID int64 }
	_ = json.Unmarshal(text, &made)
	if res.StatusCode >= 300 && !strings.Contains(string(text), "event-not-found") { // the response to a DELETE without trash
		s.t.Fatalf("%s %s: %d %s", method, target, res.StatusCode, text)
	}
	return made.ID
}

// seen waits until the listeners have logged the wanted number of lines and log no more,
// and returns the lines.
func (s *savingSite) seen(want string) string {
	s.t.Helper()
	log := ""
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		last := log
		if log = s.read("wp-content/saves"); log == last && strings.Count(log, "\n") >= strings.Count(want, "\n") {
			break
		}
	}
	s.remove("wp-content/saves")
	return plain(log)
}

// plain removes the differences between the two sides.
func plain(log string) string {
	return regexp.MustCompile(` (Calbridge|WordPress)\d*`).ReplaceAllString(log, "")
}

// operation is one request to calbridge and the same operation by WordPress's functions.
type operation struct {
	name string
	// prepare creates the object that both sides change, by WordPress, and returns its id.
	prepare string
	// method, target and body are those of the request; %d is the id, NAME differs on each side.
	method, target, body string
	// php does the same; $id is the id.
	php string
}

func operations() []operation {
	event := func(more string) string {
		return `wp_insert_post(['post_type' => 'tribe_events', 'post_title' => 'Event NAME', 'post_content' => 'Text', 'post_status' => 'publish', 'post_author' => 1` + more + `])`
	}
	post := func(kind, more string) string {
		return `wp_insert_post(['post_type' => '` + kind + `', 'post_title' => 'Place NAME', 'post_content' => 'Text', 'post_status' => 'publish', 'post_author' => 1` + more + `])`
	}
	const dates = `"start_date":"2030-01-01 10:00:00","end_date":"2030-01-01 11:00:00"`
	term := func(taxonomy string) string { return `wp_insert_term('Term NAME', '` + taxonomy + `')['term_id']` }
	list := []operation{
		{"an event is created", "", "POST", "events", `{"title":"Event NAME","description":"Text",` + dates + `}`, event("")},
		{"an event is created as a draft", "", "POST", "events", `{"title":"Event NAME","description":"Text","status":"draft",` + dates + `}`,
			`wp_insert_post(['post_type' => 'tribe_events', 'post_title' => 'Event NAME', 'post_content' => 'Text', 'post_status' => 'draft', 'post_author' => 1])`},
		{"a sticky event is created", "", "POST", "events", `{"title":"Event NAME","description":"Text","sticky":true,` + dates + `}`,
			`wp_update_post(['ID' => ` + event("") + `, 'menu_order' => -1])`},
		{"an event is created with new terms, venue and organizer", "", "POST", "events",
			`{"title":"Event NAME","description":"Text","categories":["Cat NAME"],"tags":["Tag NAME"],"venue":{"venue":"Place NAME","description":"Text"},"organizer":[{"organizer":"Host NAME","description":"Text"}],` + dates + `}`,
			`[$c = wp_insert_term('Cat NAME', 'tribe_events_cat')['term_id'], $t = wp_insert_term('Tag NAME', 'post_tag')['term_id'], ` + post("tribe_venue", "") + `, ` +
				`wp_insert_post(['post_type' => 'tribe_organizer', 'post_title' => 'Host NAME', 'post_content' => 'Text', 'post_status' => 'publish', 'post_author' => 1]), ` +
				event(`, 'tax_input' => ['tribe_events_cat' => [$c], 'post_tag' => [$t]]`) + `]`},
		{"an event is changed", event(""), "PUT", "events/%d", `{"title":"Changed NAME","description":"Other",` + dates + `}`,
			`wp_update_post(['ID' => $id, 'post_title' => 'Changed NAME', 'post_content' => 'Other', 'post_author' => 1])`},
		{"an event with terms gets others", event(`, 'tax_input' => ['tribe_events_cat' => [wp_insert_term('Old NAME', 'tribe_events_cat')['term_id']], 'post_tag' => ['Oldtag NAME']]`),
			"PUT", "events/%d", `{"title":"Changed NAME","categories":["New NAME"],` + dates + `}`,
			`[$c = wp_insert_term('New NAME', 'tribe_events_cat')['term_id'], wp_update_post(['ID' => $id, 'post_title' => 'Changed NAME', 'tax_input' => ['tribe_events_cat' => [$c]]])]`},
		{"a draft is published", `wp_insert_post(['post_type' => 'tribe_events', 'post_title' => 'Event NAME', 'post_content' => 'Text', 'post_status' => 'draft', 'post_author' => 1])`,
			"PUT", "events/%d", `{"title":"Event NAME","status":"publish",` + dates + `}`, `wp_update_post(['ID' => $id, 'post_status' => 'publish'])`},
		{"an event has a tag with a quote", `[$id = ` + event("") + `, wp_set_object_terms($id, ["Rock'n'Roll NAME"], 'post_tag')][0]`, "PUT", "events/%d", `{"title":"Changed NAME",` + dates + `}`,
			`wp_update_post(['ID' => $id, 'post_title' => 'Changed NAME'])`},
		{"an event publishes its venue", event(`, 'meta_input' => ['_EventVenueID' => wp_insert_post(['post_type' => 'tribe_venue', 'post_title' => 'Place NAME', 'post_status' => 'draft', 'post_author' => 1])]`),
			"PUT", "events/%d", `{"title":"Changed NAME",` + dates + `}`, `[$v = get_post_meta($id, '_EventVenueID', true), wp_update_post(['ID' => $id, 'post_title' => 'Changed NAME']), wp_publish_post($v)]`},
		{"an event is trashed", event(""), "DELETE", "events/%d", "", `wp_trash_post($id)`},
		{"an event with a comment is trashed", `[$id = ` + event("") + `, wp_insert_comment(['comment_post_ID' => $id, 'comment_content' => 'Nice'])][0]`, "DELETE", "events/%d", "", `wp_trash_post($id)`},
	}
	for _, kind := range []string{"venue", "organizer"} {
		of := "tribe_" + kind
		list = append(list,
			operation{"a " + kind + " is created", "", "POST", kind + "s", `{"` + kind + `":"Place NAME","description":"Text"}`, post(of, "")},
			operation{"a " + kind + " is changed", post(of, ""), "PUT", kind + "s/%d", `{"` + kind + `":"Moved NAME","description":"Text"}`, `wp_update_post(['ID' => $id, 'post_title' => 'Moved NAME'])`},
			operation{"a " + kind + " is trashed", post(of, ""), "DELETE", kind + "s/%d", "", `wp_trash_post($id)`},
		)
	}
	list = append(list, operation{"a category of events is deleted", `[$t = wp_insert_term('Term NAME', 'tribe_events_cat')['term_id'], ` + event(`, 'tax_input' => ['tribe_events_cat' => [$t]]`) + `][0]`,
		"DELETE", "categories/%d", "", `wp_delete_term($id, 'tribe_events_cat')`})
	for route, taxonomy := range map[string]string{"categories": "tribe_events_cat", "tags": "post_tag"} {
		list = append(list,
			operation{"a term of " + route + " is created", "", "POST", route, `{"name":"Term NAME","description":"Text"}`, `wp_insert_term('Term NAME', '` + taxonomy + `', ['description' => 'Text'])`},
			operation{"a term of " + route + " is changed", term(taxonomy), "PUT", route + "/%d", `{"name":"Other NAME"}`, `wp_update_term($id, '` + taxonomy + `', ['name' => 'Other NAME'])`},
			operation{"a term of " + route + " is deleted", term(taxonomy), "DELETE", route + "/%d", "", `wp_delete_term($id, '` + taxonomy + `')`},
		)
	}
	return list
}

// TestSaves checks that a write by calbridge runs the same hooks as WordPress's own
// functions, with the same arguments, in the same order and as the same user.
func TestSaves(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	s := newSavingSite(t)
	for i, o := range operations() {
		t.Run(o.name, func(t *testing.T) {
			s.site.t = t
			s.compare(o, i)
		})
	}
}

// compare runs an operation on both sides and compares the logs.
func (s *savingSite) compare(o operation, number int) {
	s.t.Helper()
	prepared := func(side string) (id int64) {
		s.remove("wp-content/listens")
		defer s.write("wp-content/listens", "")
		if o.prepare != "" {
			id = s.id(`probe_as_admin(function () { return %s; })`, strings.ReplaceAll(o.prepare, "NAME", side))
		}
		return id
	}
	wordpress, calbridge := fmt.Sprint("WordPress", number), fmt.Sprint("Calbridge", number)
	id := prepared(wordpress)
	s.php(`probe_as_admin(function () { $id = %d; return %s; })`, id, strings.ReplaceAll(o.php, "NAME", wordpress))
	want := plain(s.read("wp-content/saves"))
	s.remove("wp-content/saves")
	if !strings.Contains(want, " by 1\n") {
		s.t.Fatalf("WordPress's listeners see nothing:\n%s", want)
	}
	target := o.target
	if strings.Contains(target, "%d") {
		target = fmt.Sprintf(target, prepared(calbridge))
	}
	s.asked(o.method, target, strings.ReplaceAll(o.body, "NAME", calbridge))
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(s.seen(want), "\n")); diff != "" {
		s.t.Errorf("-by WordPress +by calbridge:\n%s", diff)
	}
}

// TestSavesArrive checks that each save reaches listeners exactly once when WordPress
// responds again, also after SIGKILL and a restart. A listener that ends the process stops
// neither the others nor later saves.
func TestSavesArrive(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	s := newSavingSite(t)
	const body = `{"title":"%s","start_date":"2030-01-01 10:00:00","end_date":"2030-01-01 11:00:00"}`
	create := func(title string) { s.asked("POST", "events", fmt.Sprintf(body, title)) }
	saves := func() (titles []string) {
		for _, line := range strings.Split(s.read("wp-content/saves"), "\n") {
			if found := regexp.MustCompile(`^save_post tribe_events/([^ ]*) .* by 1$`).FindStringSubmatch(line); found != nil {
				titles = append(titles, found[1])
			}
		}
		return titles
	}
	arrive := func(want ...string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); time.Now().Before(end) && len(saves()) < len(want); time.Sleep(100 * time.Millisecond) {
		}
		time.Sleep(time.Second) // no more may arrive
		if diff := cmp.Diff(want, saves()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		s.remove("wp-content/saves")
	}
	create("First")
	arrive("First")

	away := func(is bool) {
		if is {
			s.write("no-secret", "") // the plugin's routes are gone
		} else {
			s.remove("no-secret")
		}
	}
	away(true)
	create("While")
	create("Down")
	away(false)
	arrive("While", "Down")

	away(true)
	create("Before")
	s.stopCalbridge(syscall.SIGKILL)
	s.startCalbridge()
	create("After")
	s.stopCalbridge(syscall.SIGTERM)
	away(false)
	s.startCalbridge()
	arrive("Before", "After")
	s.stopCalbridge(syscall.SIGKILL)
	s.startCalbridge()
	create("Again")
	arrive("Again") // and nothing twice

	s.write("wp-content/exits", "")
	create("Poison")
	create("Next")
	arrive("Poison", "Poison", "Poison", "Next", "Next", "Next")
	s.remove("wp-content/exits")
	create("Last")
	arrive("Last")

	s.stopCalbridge(syscall.SIGTERM)
	s.flags = []string{"--define", "EMPTY_TRASH_DAYS=0"}
	s.startCalbridge()
	s.compare(operation{"an event is deleted", `wp_insert_post(['post_type' => 'tribe_events', 'post_title' => 'Gone NAME', 'post_content' => 'Text', 'post_status' => 'publish', 'post_author' => 1])`,
		"DELETE", "events/%d", "", `wp_delete_post($id, true)`}, 0)
}
