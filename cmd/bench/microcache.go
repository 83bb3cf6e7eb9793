package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// startMicroCache starts nginx, which caches the responses of a server for a time. Its files are
// below dir. stop ends it.
func startMicroCache(ctx context.Context, program, dir string, of rival, valid time.Duration) (r rival, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // for a free port
	if err != nil {
		return r, nil, err
	}
	addr := listener.Addr().String()
	listener.Close()
	dir, err = os.MkdirTemp(dir, "nginx-")
	if err != nil {
		return r, nil, err
	}
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(microCache(addr, of.target, valid, os.Getuid() == 0)), 0o600); err != nil {
		return r, nil, err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "-p", dir, "-c", file)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return r, nil, fmt.Errorf("start nginx: %w; install it, name it by --nginx, or leave it out by --nginx ''", err)
	}
	stop = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait() // the signal makes Wait return an error
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
			break
		}
		if time.Since(began) > 5*time.Second {
			stop()
			return r, nil, fmt.Errorf("nginx does not listen at %s: %w\n%s", addr, err, said.String())
		}
	}
	return rival{fmt.Sprintf("nginx %.0f s", valid.Seconds()), target{addr: addr, host: of.target.host}, of.base}, stop, nil
}

// microCache returns a configuration of nginx that caches successful responses to anonymous reads
// for a time, whatever their headers say. Of several clients that miss the same response, one asks
// the server.
func microCache(addr string, of target, valid time.Duration, root bool) string {
	user := ""
	if root {
		user = "user root;\n"
	}
	return user + fmt.Sprintf(`daemon off;
worker_processes auto;
pid nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    access_log off;
    keepalive_requests 1000000;
    proxy_cache_path cache levels=1:2 keys_zone=micro:16m max_size=1g inactive=10m use_temp_path=off;
    upstream reference { server %s; keepalive 64; }
    server {
        listen %s;
        location / {
            proxy_pass http://reference;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_buffers 32 32k;
            proxy_read_timeout 60s;
            proxy_cache micro;
            proxy_cache_key $request_uri;
            proxy_cache_valid 200 %ds;
            proxy_cache_lock on;
            proxy_cache_bypass $http_authorization;
            proxy_no_cache $http_authorization;
            proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;
        }
    }
}
`, of.addr, addr, int(valid.Seconds()))
}
