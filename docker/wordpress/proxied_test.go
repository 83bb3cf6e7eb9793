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
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// built is the folder of the program that the tests share.
var built struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// buildCalbridge returns the program.
func buildCalbridge(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "calbridge-wordpress-"); built.err != nil {
			return
		}
		if out, err := exec.Command("go", "build", "-o", filepath.Join(built.dir, "calbridge"), "../../cmd/calbridge").CombinedOutput(); err != nil {
			built.err = fmt.Errorf("build calbridge: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.dir, "calbridge")
}

// calbridgeBefore starts calbridge in front of the site's namespace wp/v2 and returns its
// address. WordPress has no calendar here; forwarding does not depend on the routes.
func calbridgeBefore(t *testing.T, program, dsn, wordpress string) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "serve", "--dsn", dsn, "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0",
		"--namespace", "wp/v2", "--mode", "proxy", "--upstream", wordpress, "--upstream-timeout", "2m", "--cache", "off")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	serving := regexp.MustCompile(`msg=serving listen=(\S+)`)
	var said strings.Builder
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if found := serving.FindStringSubmatch(lines.Text()); found != nil {
			go func() { _, _ = io.Copy(io.Discard, stderr) }()
			return "http://" + found[1]
		}
	}
	t.Fatalf("calbridge does not serve\n%s", said.String())
	return ""
}

// TestProxied checks that a client of a real WordPress cannot tell whether calbridge
// forwards its requests.
func TestProxied(t *testing.T) {
	if testing.Short() {
		t.Skip("PHP and a database")
	}
	t.Setenv("WP_ENVIRONMENT_TYPE", "local") // application passwords without https
	s := newSite(t, "")
	s.php(`update_option('permalink_structure', '/%%postname%%/')`)
	s.php(`flush_rewrite_rules()`)
	first := s.id(`wp_insert_post(array('post_title' => 'Čaj & <b>káva</b>', 'post_content' => '<p>Text</p>', 'post_status' => 'publish'))`)
	var password string
	if err := json.Unmarshal([]byte(s.php(`WP_Application_Passwords::create_new_application_password(1, array('name' => 'test'))[0]`)), &password); err != nil {
		t.Fatal(err)
	}
	program := buildCalbridge(t)
	before := calbridgeBefore(t, program, s.dsn, strings.TrimSuffix(s.url, "/"))
	host := strings.TrimSuffix(strings.TrimPrefix(s.url, "http://"), "/")
	client := &http.Client{
		Timeout:       3 * time.Minute,
		Transport:     &http.Transport{DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	type answer struct {
		Status int
		Header http.Header
		Body   string
	}
	ask := func(base, method, target, body string, header http.Header) answer {
		t.Helper()
		request, err := http.NewRequest(method, base+target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Host, request.Header = host, header.Clone()
		res, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range []string{"Date", "Connection", "Content-Length", "Keep-Alive"} { // of each connection, and PHP's server sends no length
			res.Header.Del(own)
		}
		return answer{res.StatusCode, res.Header, string(text)}
	}
	login := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("admin:"+password))}}
	sends := func(kind string, also http.Header) http.Header {
		h := also.Clone()
		if h == nil {
			h = http.Header{}
		}
		h.Set("Content-Type", kind)
		return h
	}
	one := fmt.Sprintf("/wp-json/wp/v2/posts/%d", first)
	for _, c := range []struct {
		method, target, body string
		header               http.Header
		status               int
	}{
		{"GET", "/wp-json/wp/v2", "", nil, 200},
		{"GET", "/wp-json/wp/v2/posts?per_page=1&_fields=id,title", "", nil, 200},
		{"GET", "/wp-json/wp/v2/posts?search=%C4%8Daj+%26&status[]=publish", "", nil, 200},
		{"GET", "/index.php?rest_route=/wp/v2/posts", "", nil, 200},
		{"GET", one + "?context=edit", "", nil, 401},
		{"GET", one + "?context=edit", "", login, 200},
		{"GET", one, "", http.Header{"Origin": {"https://other.example"}}, 200},
		{"GET", one + "?_jsonp=call", "", nil, 200},
		{"GET", "/wp-json/wp/v2/posts?per_page=0", "", nil, 400},
		{"GET", "/wp-json/wp/v2/nothing", "", nil, 404},
		{"HEAD", "/wp-json/wp/v2/posts", "", nil, 200},
		{"OPTIONS", one, "", nil, 200},
		{"POST", one, `{"title":"Taken"}`, sends("application/json", nil), 401},
		{"POST", one, `{"title":`, sends("application/json", login), 400},
		{"POST", one, `{"title":"By JSON"}`, sends("application/json", login), 200},
		{"POST", one, "title=By+form+%C5%A1", sends("application/x-www-form-urlencoded", login), 200},
		{"PUT", one, `{"status":"draft"}`, sends("application/json", login), 200},
		{"POST", one + "?_method=DELETE", "", login, 200},
		{"DELETE", one + "?force=true", "", login, 200},
	} {
		// Writes go only to calbridge; its responses are compared with the rows.
		got := ask(before, c.method, c.target, c.body, c.header)
		if got.Status != c.status {
			t.Errorf("%s %s: %d %.300s", c.method, c.target, got.Status, got.Body)
		}
		if c.status >= 300 || c.method == "GET" || c.method == "HEAD" || c.method == "OPTIONS" {
			want := ask(strings.TrimSuffix(s.url, "/"), c.method, c.target, c.body, c.header)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s %s (-direct +through calbridge):\n%s", c.method, c.target, diff)
			}
		}
		switch c.body {
		case `{"title":"By JSON"}`:
			s.is(`"By JSON"`, `get_post(%d)->post_title`, first)
		case "title=By+form+%C5%A1":
			s.is(`"By form \u0161"`, `get_post(%d)->post_title`, first)
		}
	}
	s.is("null", `get_post(%d)`, first)
	// A request that was forwarded once is not forwarded again.
	loop := calbridgeBefore(t, program, s.dsn, before)
	if got := ask(loop, "GET", "/wp-json/wp/v2", "", nil); got.Status != http.StatusLoopDetected {
		t.Errorf("through two: %d", got.Status)
	}
}
