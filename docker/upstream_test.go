package docker_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/fcgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// php stands in for PHP. It responds with the $_SERVER that WordPress would receive.
func php(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(dir, "php.sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.Chmod(l.Addr().String(), 0o666); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = fcgi.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			addr, _, _ := net.SplitHostPort(r.RemoteAddr)
			_ = json.NewEncoder(w).Encode(map[string]string{
				"REQUEST_URI": r.URL.RequestURI(), "HTTP_HOST": r.Host, "REMOTE_ADDR": addr, "HTTPS": fmt.Sprint(r.TLS != nil), "METHOD": r.Method,
				"AUTHORIZATION": r.Header.Get("Authorization"), "BODY": string(body), // PHP also removes Apache's prefix.
				"SCRIPT": strings.TrimPrefix(fcgi.ProcessEnv(r)["SCRIPT_FILENAME"], "proxy:fcgi://localhost"),
			})
		}))
	}()
	return l.Addr().String()
}

// wordpressFolder returns a folder with the files that a web server looks for.
func wordpressFolder(t *testing.T) (dir, root string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "wp") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	root = filepath.Join(dir, "html")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, root, "index.php", "<?php")
	return dir, root
}

// asUpstream returns a snippet with the addresses of this test.
func asUpstream(t *testing.T, snippet, addr, socket, root string) string {
	t.Helper()
	_, port, _ := net.SplitHostPort(addr)
	return strings.NewReplacer("127.0.0.1:8081", addr, ":8081", ":"+port, "/run/php/php-fpm.sock", socket, "/var/www/html", root).Replace(read(t, snippet))
}

// tryUpstream sends requests as calbridge does.
func tryUpstream(t *testing.T, addr, root string) {
	t.Helper()
	for _, target := range []string{
		"/wp-json/tribe/events/v1/events?page=2&x=%2F", "/en/wp-json/tribe/events/v1/", "/?rest_route=/tribe/events/v1/events", "/index.php/wp-json/tribe/events/v1",
		"/wp-json/tribe/events/v1/events/by-slug/a%2Fb", "/wp-json/tribe/events/v1/events/by-slug/%C4%8D%20",
	} {
		for _, proto := range []string{"http", "https"} {
			got := askUpstream(t, addr, "GET", target, "", "X-Forwarded-For: 203.0.113.7", "X-Forwarded-Proto: "+proto, "X-Calbridge-Forwarded: 1")
			want := map[string]string{"REQUEST_URI": target, "HTTP_HOST": "example.org:8443", "REMOTE_ADDR": "203.0.113.7", "HTTPS": fmt.Sprint(proto == "https"), "METHOD": "GET",
				"SCRIPT": filepath.Join(root, "index.php")}
			for name, value := range want {
				if got[name] != value {
					t.Errorf("%s over %s: %s is %q, want %q", target, proto, name, got[name], value)
				}
			}
		}
	}
	if got := askUpstream(t, addr, "POST", "/wp-json/tribe/events/v1/events", "title=x", "Authorization: Basic YTpiIGM="); got["BODY"] != "title=x" || got["METHOD"] != "POST" || got["AUTHORIZATION"] != "Basic YTpiIGM=" {
		t.Errorf("POST: %v", got)
	}
}

func askUpstream(t *testing.T, addr, method, target, body string, header ...string) map[string]string {
	t.Helper()
	resp, data := exchange(t, addr, method, target, body, header...)
	var got map[string]string
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%s %s: status %d: %.200s", method, target, resp.StatusCode, data)
	}
	return got
}

func TestNginxUpstream(t *testing.T) {
	nginx := tool(t, "nginx")
	dir, root := wordpressFolder(t)
	addr := freeAddr(t)
	params, err := os.ReadFile("/etc/nginx/fastcgi_params")
	if err != nil {
		missing(t, "nginx's own fastcgi_params: %v", err)
	}
	write(t, dir, "fastcgi_params", string(params))
	startNginx(t, nginx, dir, addr, asUpstream(t, "nginx/wordpress.conf", addr, php(t, dir), root))
	tryUpstream(t, addr, root)
}

func TestApacheUpstream(t *testing.T) {
	apache := tool(t, "apache2", "httpd")
	dir, root := wordpressFolder(t)
	addr := freeAddr(t)
	const modules = "/usr/lib/apache2/modules"
	if _, err := os.Stat(modules); err != nil {
		missing(t, "Apache's modules are not in %s", modules)
	}
	load := ""
	for _, m := range []string{"mpm_event", "authz_core", "proxy", "proxy_fcgi", "remoteip", "rewrite", "setenvif"} {
		load += fmt.Sprintf("LoadModule %s_module %s/mod_%s.so\n", m, modules, m)
	}
	if os.Getuid() == 0 {
		load += "User www-data\nGroup www-data\n"
	}
	conf := write(t, dir, "apache.conf", load+"ServerRoot "+dir+"\nDefaultRuntimeDir "+dir+"\nPidFile "+dir+"/apache.pid\nMutex pthread\nServerName example.org\nErrorLog /dev/stderr\nStartServers 1\n"+
		asUpstream(t, "apache/wordpress.conf", addr, php(t, dir), root))
	if out := output(t, apache, "-t", "-f", conf); !strings.Contains(out, "Syntax OK") {
		t.Errorf("apache2 -t says\n%s", out)
	}
	start(t, exec.Command(apache, "-DFOREGROUND", "-f", conf))
	listening(t, addr)
	tryUpstream(t, addr, root)
}

func TestCaddyUpstream(t *testing.T) {
	caddy := tool(t, "caddy")
	dir, root := wordpressFolder(t)
	addr := freeAddr(t)
	conf := write(t, dir, "Caddyfile", "{\n\tadmin off\n\tauto_https off\n\tstorage file_system "+dir+"\n}\n"+asUpstream(t, "caddy/wordpress.caddyfile", addr, php(t, dir), root))
	start(t, exec.Command(caddy, "run", "--adapter", "caddyfile", "--config", conf))
	listening(t, addr)
	tryUpstream(t, addr, root)
}
