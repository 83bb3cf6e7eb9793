package wordpress_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

// quickStart returns the blocks of code of README's quick start, in their order.
func quickStart(t *testing.T) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Quick start on an existing site\n")
	if !found {
		t.Fatal("README has no quick start")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile("(?s)```(?:sh|sql)\n(.*?)```").FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, strings.TrimSpace(strings.ReplaceAll(m[1], "\n   ", "\n")))
	}
	return blocks
}

// newcomer follows the quick start in a folder of their own, with calbridge in the path.
type newcomer struct {
	t    *testing.T
	dir  string
	site *strings.Replacer // puts the test site's names in the place of README's
	env  []string
}

// command returns a block of the quick start as a shell command.
func (n *newcomer) command(ctx context.Context, block string) *exec.Cmd {
	n.t.Helper()
	line := n.site.Replace(block)
	if line == block {
		n.t.Fatalf("the block has nothing to fill in:\n%s", block)
	}
	cmd := exec.CommandContext(ctx, "sh", "-ec", "exec "+line)
	cmd.Dir, cmd.Env = n.dir, append(os.Environ(), n.env...)
	return cmd
}

// freshWordPress returns a WordPress with a calendar whose API a calbridge with --compat exact
// stands in for, and the address at which visitors see both.
func freshWordPress(t *testing.T, program string) (s *site, address string) {
	t.Helper()
	s = newSiteOn(t, func(t testing.TB) string { return wptest.MariaDBWithUsers(t) }, "")
	if err := os.MkdirAll(filepath.Join(s.dir, "wp-content/plugins/the-events-calendar"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.copy("testdata/calendar/the-events-calendar.php", "wp-content/plugins/the-events-calendar/the-events-calendar.php")
	s.php(`update_option('active_plugins', ['the-events-calendar/the-events-calendar.php'])`)
	s.php(`update_option('permalink_structure', '/%%postname%%/')`)
	s.php(`flush_rewrite_rules()`)
	for day := 1; day <= 3; day++ {
		s.id(`wp_insert_post(['post_title' => 'Event', 'post_content' => '<p>Text</p>', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'post_author' => 1, 'meta_input' => [
			'_EventStartDate' => '2030-01-0%[1]d 10:00:00', '_EventEndDate' => '2030-01-0%[1]d 12:00:00', '_EventStartDateUTC' => '2030-01-0%[1]d 10:00:00', '_EventEndDateUTC' => '2030-01-0%[1]d 12:00:00', '_EventTimezone' => 'UTC']])`, day)
	}
	for _, ours := range []string{"mu-plugins/probe.php", "mu-plugins/calbridge-companion.php", "mu-plugins/calbridge-companion-facts.php", "mu-plugins/calbridge-companion-code.php", "object-cache.php"} {
		s.remove("wp-content/" + ours)
	}
	to := func(address string) *httputil.ReverseProxy {
		target, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
		}}
	}
	front := httptest.NewUnstartedServer(nil)
	t.Cleanup(front.Close)
	address = "http://" + front.Listener.Addr().String()
	s.write("wp-config.php", config(t, s.dsn, address+"/", ""))
	exact := exec.Command(program, "serve", "--wp-config", filepath.Join(s.dir, "wp-config.php"), "--listen", "127.0.0.1:0", "--ops-listen", "off",
		"--namespace", "tribe/events/v1", "--compat", "exact", "--cache", "off", "--read-only")
	wordpress, calendar := to(s.url), to("http://"+serving(t, exact))
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path+r.URL.Query().Get("rest_route"), "/tribe/events/v1") {
			calendar.ServeHTTP(w, r)
			return
		}
		wordpress.ServeHTTP(w, r)
	})
	front.Start()
	return s, address
}

// serving starts calbridge and returns the address in its line "serving".
func serving(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line := regexp.MustCompile(`msg=serving listen=(\S+)`)
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if found := line.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return found[1]
		}
		said.WriteString(lines.Text() + "\n")
	}
	t.Fatalf("calbridge does not serve:\n%s", &said)
	return ""
}

// TestQuickStart follows README's quick start on a fresh WordPress, word by word, and sees what
// README says one sees.
func TestQuickStart(t *testing.T) {
	need(t)
	t.Parallel()
	blocks := quickStart(t)
	if len(blocks) != 4 {
		t.Fatalf("the quick start has %d blocks of code:\n%s", len(blocks), strings.Join(blocks, "\n"))
	}
	build, try, grant, serve := blocks[0], blocks[1], blocks[2], blocks[3]
	n := &newcomer{t: t, dir: t.TempDir(), site: strings.NewReplacer("./cmd/calbridge", "calbridge/cmd/calbridge")}

	cmd := exec.Command("sh", "-ec", strings.Replace(build, "-o calbridge", "-o "+filepath.Join(n.dir, "calbridge"), 1))
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", build, err, out)
	}
	n.env = []string{"PATH=" + n.dir + ":" + os.Getenv("PATH")}
	s, address := freshWordPress(t, filepath.Join(n.dir, "calbridge"))
	n.site = strings.NewReplacer("/var/www/html", s.dir, "https://example.org", address)

	verdict := n.try(try)
	n.grant(grant, s)
	cmd = n.command(t.Context(), serve)
	if want := "Next        " + cmd.Args[2][len("exec "):] + "\n"; !strings.Contains(verdict, want) {
		t.Errorf("the verdict's next command isn't README's:\n%s", want)
	}
	cmd.Env = append(cmd.Env, "CALBRIDGE_LISTEN=127.0.0.1:0", "CALBRIDGE_OPS_LISTEN=off")
	at := serving(t, cmd)
	for _, route := range []string{"/events?start_date=2030-01-01", "/venues", "/categories"} {
		before, after := fetched(t, address, address, route), fetched(t, "http://"+at, address, route)
		if before != after {
			t.Errorf("%s:\n before %s\n after  %s", route, before, after)
		}
	}
}

// try runs the trial and returns its verdict.
func (n *newcomer) try(block string) string {
	n.t.Helper()
	ctx, stop := context.WithTimeout(n.t.Context(), 10*time.Minute)
	defer stop()
	cmd := n.command(ctx, block+" --delay 1ms")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	verdict, err := cmd.Output()
	if err != nil {
		n.t.Fatalf("%s: %v\n%s%s", block, err, verdict, &stderr)
	}
	n.t.Logf("%s", verdict)
	for _, want := range []string{"Verdict     This site can be served natively", "Identical   ", "Intended    ", "Headers     ", "Unexplained none\n", "Next        calbridge serve "} {
		if !strings.Contains(string(verdict), want) {
			n.t.Errorf("the verdict lacks %q", want)
		}
	}
	if lines := strings.Count(string(verdict), "\n"); lines > 25 {
		n.t.Errorf("the verdict has %d lines", lines)
	}
	if !strings.Contains(stderr.String(), "recording: ") {
		n.t.Errorf("no progress:\n%s", &stderr)
	}
	files, err := filepath.Glob(filepath.Join(n.dir, "*"))
	if err != nil || len(files) != 2 {
		n.t.Errorf("the trial has written %q, want ./calbridge-trial beside the program", files)
	}
	if _, err := os.Stat(filepath.Join(n.dir, "calbridge-trial/report.html")); err != nil {
		n.t.Error(err)
	}
	return string(verdict)
}

// grant creates the database user, and makes calbridge use it.
func (n *newcomer) grant(block string, s *site) {
	n.t.Helper()
	cfg, err := mysql.ParseDSN(s.dsn)
	if err != nil {
		n.t.Fatal(err)
	}
	user := *cfg
	user.User, user.Passwd = "calbridge", rand.Text()
	block = strings.NewReplacer("'…'", "'"+user.Passwd+"'", "`wordpress`", "`"+cfg.DBName+"`").Replace(block)
	for statement := range strings.SplitSeq(block, ";") {
		var lines []string
		for line := range strings.Lines(statement) {
			if !strings.HasPrefix(strings.TrimSpace(line), "--") {
				lines = append(lines, line)
			}
		}
		if statement = strings.TrimSpace(strings.Join(lines, "")); statement == "" || strings.HasPrefix(statement, "--") {
			continue
		}
		if _, err := s.db.Exec(statement); err != nil {
			n.t.Fatalf("%s: %v", statement, err)
		}
	}
	n.t.Cleanup(func() { _, _ = s.db.Exec("DROP USER 'calbridge'@'localhost'") })
	db, err := sql.Open("mysql", user.FormatDSN())
	if err != nil {
		n.t.Fatal(err)
	}
	defer db.Close()
	if err := db.Ping(); err != nil {
		n.t.Fatal(err)
	}
	n.env = append(n.env, "CALBRIDGE_DSN="+user.FormatDSN())
}

// fetched returns status and body of a route of the calendar at an address, for the site's host.
func fetched(t *testing.T, at, site, route string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, at+"/wp-json/tribe/events/v1"+route, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = strings.TrimPrefix(site, "http://")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", string(body))
}
