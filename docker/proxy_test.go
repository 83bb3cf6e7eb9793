package docker_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The server that should receive a request.
const (
	ours   = "calbridge"
	theirs = "wordpress"
)

// routed maps request targets to the server that should receive them. They must reach
// calbridge exactly as sent.
var routed = []struct{ target, server string }{
	// the namespace, at the root and behind index.php
	{"/wp-json/calendar/events/v1", ours},
	{"/wp-json/calendar/events/v1/", ours},
	{"/wp-json/calendar/events/v1?_fields=namespace", ours},
	{"/wp-json/calendar/events/v1/events", ours},
	{"/wp-json/calendar/events/v1/events/?page=2&per_page=5", ours},
	{"/wp-json/calendar/events/v1/events/17", ours},
	{"/wp-json/calendar/events/v1/doc", ours},
	{"/wp-json/calendar/events/v1/no/such/route", ours},
	{"/index.php/wp-json/calendar/events/v1/events", ours},
	{"//wp-json/calendar/events/v1/events", ours},
	// languages
	{"/en/wp-json/calendar/events/v1/events", ours},
	{"/de/wp-json/calendar/events/v1", ours},
	{"/de/index.php/wp-json/calendar/events/v1/venues", ours},
	{"/en//wp-json/calendar/events/v1/events", ours},
	{"/EN/wp-json/calendar/events/v1/events", theirs},
	{"/cs/wp-json/calendar/events/v1/events", theirs},
	{"/en/de/wp-json/calendar/events/v1/events", theirs},
	{"/english/wp-json/calendar/events/v1/events", theirs},
	// letter case: folders by the letter, the namespace in any case
	{"/wp-json/CALENDAR/Events/v1/EVENTS", ours},
	{"/wp-json/calendar/events/V1", ours},
	{"/WP-JSON/calendar/events/v1/events", theirs},
	// slashes and other bytes that are encoded, and must stay so
	{"/wp-json/calendar/events/v1/events/by-slug/a%2Fb", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/a%2fb/", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/caf%C3%A9%20%27x%27+%26%5C", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/100%25", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/..%2F..%2Fwp-admin", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/what%3F", ours},
	{"/wp-json/calendar/events/v1/events/by-slug/what%3f?page=2&x=%3F", ours},
	{"/wp-json/calendar/events/v1//events", ours},
	{"/wp-json/calendar/events/v1/events?search=a%2Fb%26c&tags%5B%5D=1&x=%3F", ours},
	{"/wp-json/calendar%2Fevents%2Fv1/events", theirs},
	// neighbours
	{"/wp-json/calendar/events/v10/events", theirs},
	{"/wp-json/calendar/events/v1x", theirs},
	{"/wp-json/calendar/events", theirs},
	{"/wp-json/calendar/views/v2/html", theirs},
	{"/wp-json", theirs},
	{"/wp-json/", theirs},
	{"/wp-json/wp/v2/posts", theirs},
	{"/wp-json/wp/v2/posts?x=/wp-json/calendar/events/v1", theirs},
	{"/wp-jsonx/calendar/events/v1/events", theirs},
	{"/foo/wp-json/calendar/events/v1/events", theirs},
	{"/wp-json/foo/wp-json/calendar/events/v1/events", theirs},
	{"/", theirs},
	{"/calendar/events/v1/events", theirs},
	{"/wp-admin/admin-ajax.php", theirs},
	{"/event/summer-fair/", theirs},
	// the argument rest_route
	{"/?rest_route=/calendar/events/v1/events", ours},
	{"/?rest_route=/calendar/events/v1", ours},
	{"/?rest_route=/calendar/events/v1/&page=2", ours},
	{"/?page=2&rest_route=/calendar/events/v1/events/by-slug/a%2Fb", ours},
	{"/?rest_route=%2Fcalendar%2Fevents%2Fv1%2Fevents", ours},
	{"/?rest_route=%2fCalendar/events%2FV1", ours},
	{"/index.php?rest_route=/calendar/events/v1/events", ours},
	{"/en/?rest_route=/calendar/events/v1/events", ours},
	{"/any/other/path?rest_route=/calendar/events/v1/events", ours},
	{"/wp-json/wp/v2/posts?rest_route=/calendar/events/v1/events", ours},
	{"/wp-json/calendar/events/v1/venues?rest_route=/calendar/events/v1/events", ours},
	{"/?rest_route=/calendar/events/v10", theirs},
	{"/?rest_route=/calendar/events", theirs},
	{"/?rest_route=/wp/v2/posts", theirs},
	{"/?rest_route=calendar/events/v1/events", theirs},
	{"/?xrest_route=/calendar/events/v1/events", theirs},
	{"/?x=rest_route=/calendar/events/v1/events", theirs},
	{"/?rest_route=/wp/v2/posts&x=/calendar/events/v1", theirs},
	{"/?rest_route=/calendar/events/v1/events&rest_route=/wp/v2/posts", theirs},
	{"/?rest_route[]=/calendar/events/v1/events", theirs},
	{"/en/index.php?rest_route=/calendar/events/v1/events", theirs},
	{"/wp-login.php?rest_route=/calendar/events/v1/events", theirs},
	{"/wp-admin/?rest_route=/calendar/events/v1/events", theirs},
	{"/wp-admin/admin.php?rest_route=/calendar/events/v1/events", theirs},
	{"/wp-content/uploads/x.jpg?rest_route=/calendar/events/v1/events", theirs},
	// rest_route goes before the path, unless it is empty
	{"/wp-json/calendar/events/v1/events?rest_route=/wp/v2/posts", theirs},
	{"/wp-json/calendar/events/v1/events?rest_route[]=x", theirs},
	{"/wp-json/calendar/events/v1/events?rest_route=", ours},
	{"/wp-json/calendar/events/v1/events?rest_route=0&page=2", ours},
}

// seen is a request that an upstream received.
type seen struct {
	Server, Method, Target, Host, Body string
	Header                             http.Header
}

// upstream stands in for calbridge or WordPress and responds with the request it received.
func upstream(t *testing.T, name string) *httptest.Server {
	streams := newStreams()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if streams.answer(w, r) {
			return
		}
		w.Header().Set("X-Wp-Total", "3")
		if r.Header.Get("X-Test-Status") != "" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(w).Encode(seen{name, r.Method, r.RequestURI, r.Host, string(body), r.Header})
	}))
	t.Cleanup(s.Close)
	return s
}

// exchange sends a request exactly as given; http.Client would normalize it.
func exchange(t *testing.T, addr, method, target, body string, header ...string) (*http.Response, []byte) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", addr, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: example.org:8443\r\nConnection: close\r\nContent-Length: %d\r\n", method, target, len(body))
	for _, h := range header {
		fmt.Fprintf(conn, "%s\r\n", h)
	}
	fmt.Fprintf(conn, "\r\n%s", body)
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	return resp, data
}

// send sends a request to a web server in front of the stand-ins.
func send(t *testing.T, addr, method, target, body string, header ...string) (*http.Response, seen) {
	t.Helper()
	resp, data := exchange(t, addr, method, target, body, header...)
	var got seen
	if method != http.MethodHead && json.Unmarshal(data, &got) != nil {
		t.Errorf("%s %s: status %d from the proxy itself: %.200s", method, target, resp.StatusCode, data)
	}
	return resp, got
}

// tryProxy tests everything that a snippet promises, with a web server at addr in front
// of the two upstreams.
func tryProxy(t *testing.T, addr string, namespace layout) {
	if namespace.folder != "" {
		tryFolder(t, addr, namespace)
		return
	}
	for _, c := range slices.Concat(routed, exported) {
		target := namespace.target(c.target)
		_, got := send(t, addr, "GET", target, "")
		if got.Server != c.server {
			t.Errorf("%s reaches %q, want %s", target, got.Server, c.server)
		} else if c.server == ours && got.Target != target {
			t.Errorf("%s arrives as %s", target, got.Target)
		}
	}
	target := namespace.target("/wp-json/calendar/events/v1/events")
	tryStream(t, addr, target+"/stream")
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
		_, got := send(t, addr, method, target, "title=A%20fair", "Content-Type: application/x-www-form-urlencoded",
			"Authorization: Basic YTpiIGM=", "X-WP-Nonce: 0123456789", "Cookie: wordpress_logged_in_x=a%7Cb")
		want := map[string]string{
			"Authorization": "Basic YTpiIGM=", "X-Wp-Nonce": "0123456789", "Cookie": "wordpress_logged_in_x=a%7Cb",
			"X-Forwarded-Proto": "http", "X-Forwarded-For": "127.0.0.1", "Content-Type": "application/x-www-form-urlencoded",
		}
		if got.Server != ours || got.Method != method || got.Body != "title=A%20fair" || got.Host != "example.org:8443" {
			t.Errorf("%s arrives as %+v", method, got)
		}
		for name, value := range want {
			if got.Header.Get(name) != value {
				t.Errorf("%s: header %s is %q, want %q", method, name, got.Header.Get(name), value)
			}
		}
	}
	if resp, _ := send(t, addr, "HEAD", target, ""); resp.StatusCode != 200 || resp.Header.Get("X-Wp-Total") != "3" {
		t.Errorf("HEAD: status %d, headers %v", resp.StatusCode, resp.Header)
	}
	if resp, got := send(t, addr, "GET", target, "", "X-Test-Status: 503"); resp.StatusCode != 503 || got.Server != ours {
		t.Errorf("calbridge's own 503 arrives as %d %+v", resp.StatusCode, got)
	}
	// The last value must be the proxy's, not one that the client sent.
	_, got := send(t, addr, "GET", target, "", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: https")
	hops := strings.Split(got.Header.Get("X-Forwarded-For"), ",")
	if last := strings.TrimSpace(hops[len(hops)-1]); last != "127.0.0.1" {
		t.Errorf("a client's X-Forwarded-For arrives as %q", got.Header.Get("X-Forwarded-For"))
	}
	if p := got.Header.Get("X-Forwarded-Proto"); p != "http" {
		t.Errorf("a client's X-Forwarded-Proto arrives as %q", p)
	}
	if big := strings.Repeat("x", 7<<20); true {
		if _, got := send(t, addr, "POST", target, big); len(got.Body) != len(big) {
			t.Errorf("a body of 7 MiB arrives with %d bytes", len(got.Body))
		}
	}
}

// tryFolder requests the addresses of a site in a folder from a web server.
func tryFolder(t *testing.T, addr string, l layout) {
	for _, c := range slices.Concat(routed, exported) {
		if strings.Contains(c.target, "rest_route") || strings.HasPrefix(c.target, "//") {
			continue
		}
		for target, server := range map[string]string{l.target(c.target): c.server, c.target: theirs} {
			if _, got := send(t, addr, "GET", target, ""); got.Server != server || server == ours && got.Target != target {
				t.Errorf("%s reaches %q as %s, want %s", target, got.Server, got.Target, server)
			}
		}
	}
}

// layout is an adaptation of a snippet: the namespace, and the folder of the site, if any.
type layout struct{ namespace, folder string }

// original is the namespace of the snippets.
const original = "calendar/events/v1"

var (
	originalSpelt = regexp.MustCompile(`(?i)calendar(?:/|%2F)events(?:/|%2F)v1`)
	slashSpelt    = regexp.MustCompile(`(?i)/|%2F`)
)

// snippet replaces the parts that the snippets tell users to replace.
func (l layout) snippet(text string) string {
	text = strings.ReplaceAll(text, original, l.namespace)
	if l.folder != "" {
		text = strings.ReplaceAll(text, "/+(?:(?:en|de)", "/+"+l.folder+"/+(?:(?:en|de)")
	}
	return text
}

func (l layout) target(target string) string {
	target = originalSpelt.ReplaceAllStringFunc(target, func(spelt string) string {
		n := l.namespace
		if spelt != strings.ToLower(spelt) {
			n = strings.ToUpper(n)
		}
		slashes := slashSpelt.FindAllString(spelt, -1)
		for i, part := range strings.Split(n, "/") {
			if i == 0 {
				spelt = part
			} else {
				spelt += slashes[i%2] + part
			}
		}
		return spelt
	})
	if l.folder != "" {
		return "/" + l.folder + target
	}
	return target
}

// inLayouts runs a test with the unchanged snippets, and with snippets adapted to The
// Events Calendar's own namespace, to shorter and longer ones, and to a site in a folder.
func inLayouts(t *testing.T, test func(*testing.T, layout)) {
	const tribe = "tribe/events/v1"
	for _, l := range []layout{{original, ""}, {tribe, ""}, {"lipa/v2", ""}, {"lipa/town/events/v2", ""}, {tribe, "blog"}} {
		t.Run(l.namespace+l.folder, func(t *testing.T) { test(t, l) })
	}
}

// adapted copies a snippet to dir with the address of the stub calbridge in it.
func adapted(t *testing.T, dir, path string, l layout, calbridge *httptest.Server) string {
	t.Helper()
	text := l.snippet(read(t, path))
	return write(t, dir, filepath.Base(path), strings.ReplaceAll(text, "127.0.0.1:8080", calbridge.Listener.Addr().String()))
}

// TestNamespaceInOnePlace checks that adapting a snippet to another namespace takes one
// line.
func TestNamespaceInOnePlace(t *testing.T) {
	for _, path := range []string{"nginx/calbridge.conf", "nginx/calbridge-server.conf", "apache/calbridge.conf", "caddy/Caddyfile"} {
		var found []string
		for line := range strings.Lines(read(t, path)) {
			if code := strings.TrimSpace(line); !strings.HasPrefix(code, "#") && regexp.MustCompile(`(?i)\bcalendar\b|\btribe\b`).MatchString(code) {
				found = append(found, code)
			}
		}
		if want := strings.HasSuffix(path, "server.conf"); len(found) > 1 || (len(found) == 0) != want {
			t.Errorf("%s has the namespace in %q", path, found)
		}
	}
}

func TestNginx(t *testing.T) { inLayouts(t, tryNginx) }

func tryNginx(t *testing.T, l layout) {
	nginx := tool(t, "nginx")
	dir := t.TempDir()
	calbridge, wordpress, addr := upstream(t, ours), upstream(t, theirs), freeAddr(t)
	startNginx(t, nginx, dir, addr, `
    access_log off;
    include `+adapted(t, dir, "nginx/calbridge.conf", l, calbridge)+`;
    server {
        listen `+addr+`;
        include `+adapted(t, dir, "nginx/calbridge-server.conf", l, calbridge)+`;
        location / { proxy_pass `+wordpress.URL+`; }
        location ~ \.php(/|$) { proxy_pass `+wordpress.URL+`; }
    }
`)
	tryProxy(t, addr, l)
}

// startNginx runs nginx in dir with the given content of the http block, and waits until
// it listens at addr.
func startNginx(t *testing.T, nginx, dir, addr, http string) {
	t.Helper()
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}
	conf := write(t, dir, "nginx.conf", user+`
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 64; }
http {
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
`+http+`
}
`)
	out := output(t, nginx, "-t", "-p", dir, "-c", conf)
	if strings.Contains(out, "[warn]") || strings.Contains(out, "[emerg]") {
		t.Errorf("nginx -t says\n%s", out)
	}
	start(t, exec.Command(nginx, "-p", dir, "-c", conf))
	listening(t, addr)
}

func TestApache(t *testing.T) { inLayouts(t, tryApache) }

func tryApache(t *testing.T, l layout) {
	apache := tool(t, "apache2", "httpd")
	dir := t.TempDir()
	calbridge, wordpress, addr := upstream(t, ours), upstream(t, theirs), freeAddr(t)
	modules := "/usr/lib/apache2/modules"
	if _, err := os.Stat(modules); err != nil {
		missing(t, "Apache's modules are not in %s", modules)
	}
	load := ""
	for _, m := range []string{"mpm_event", "authz_core", "proxy", "proxy_http", "rewrite", "headers"} {
		load += fmt.Sprintf("LoadModule %s_module %s/mod_%s.so\n", m, modules, m)
	}
	if os.Getuid() == 0 {
		load += "User www-data\nGroup www-data\n"
	}
	conf := write(t, dir, "apache.conf", load+`
ServerRoot `+dir+`
DefaultRuntimeDir `+dir+`
PidFile `+dir+`/apache.pid
Mutex pthread
ServerName example.org
Listen `+addr+`
ErrorLog /dev/stderr
StartServers 1
<VirtualHost `+addr+`>
    Include `+adapted(t, dir, "apache/calbridge.conf", l, calbridge)+`
    ProxyPass / `+wordpress.URL+`/ nocanon
</VirtualHost>
`)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if out := output(t, apache, "-t", "-f", conf); !strings.Contains(out, "Syntax OK") {
		t.Errorf("apache2 -t says\n%s", out)
	}
	start(t, exec.Command(apache, "-DFOREGROUND", "-f", conf))
	listening(t, addr)
	tryProxy(t, addr, l)
}

func TestCaddy(t *testing.T) { inLayouts(t, tryCaddy) }

func tryCaddy(t *testing.T, l layout) {
	caddy := tool(t, "caddy")
	dir := t.TempDir()
	calbridge, wordpress, addr := upstream(t, ours), upstream(t, theirs), freeAddr(t)
	conf := write(t, dir, "site", `{
	admin off
	auto_https off
	storage file_system `+dir+`
}
import `+adapted(t, dir, "caddy/Caddyfile", l, calbridge)+`
http://`+addr+`, http://example.org:`+addr[strings.LastIndexByte(addr, ':')+1:]+` {
	bind 127.0.0.1
	import calbridge
	reverse_proxy `+wordpress.Listener.Addr().String()+`
}
`)
	start(t, exec.Command(caddy, "run", "--config", conf, "--adapter", "caddyfile"))
	listening(t, addr)
	tryProxy(t, addr, l)
}
