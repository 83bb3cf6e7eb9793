package sitecheck

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/rollout"
	"calbridge/wpstore/check"
)

// Listen tries the addresses. An address in use is fine if calbridge uses it.
func Listen(ctx context.Context, l settings.Listen) check.Report {
	var report check.Report
	running := l.Ops != "" && isCalbridge(ctx, httpserver.DialAddress(l.Ops))
	try := func(name, addr, setting string) net.Listener {
		opened, err := httpserver.Listen(addr, setting)
		var problem *httpserver.ListenError
		switch {
		case errors.Is(err, syscall.EADDRINUSE) && running:
			report = append(report, Success(name, addr+" is in use, and calbridge is running"))
		case errors.As(err, &problem):
			report = append(report, Failure(name, problem.Problem(), problem.Advice()))
		default:
			report = append(report, Success(name, addr+" is free"))
		}
		return opened
	}
	if api := try("listen.api", l.API, "listen"); api != nil {
		defer api.Close() // not before the other address has been tried, which may be the same
	}
	if l.Ops == "" {
		return append(report, Warning("listen.ops", "no metrics and no health checks", "Set --ops-listen to get them."))
	}
	if ops := try("listen.ops", l.Ops, "ops-listen"); ops != nil {
		defer ops.Close()
	}
	if host, _, err := net.SplitHostPort(l.Ops); err == nil {
		ip := net.ParseIP(host)
		if host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			report = append(report, Warning("listen.ops", l.Ops+" can be reached from other machines", "Make sure that only operators can reach it."))
		}
	}
	return report
}

// isCalbridge reports whether calbridge runs at an ops address.
func isCalbridge(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/version", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 100))
	return strings.HasPrefix(string(text), "calbridge ")
}

// Upstream requests the namespace from WordPress.
func Upstream(ctx context.Context, u rollout.Upstream, namespace string) check.Report {
	const name = "rollout.upstream"
	const advice = "Set --upstream to an address at which PHP answers for this site, such as a server block of its own on loopback (docker/nginx/wordpress.conf), and --upstream-host to the site's host name."
	if u.URL == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(u.Timeout, 10*time.Second))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(u.URL, "/")+"/?rest_route=/"+namespace, nil)
	if err != nil {
		return check.Report{Failure(name, err.Error(), advice)}
	}
	req.Host = u.Host
	req.Header.Set(rollout.Marker, "1")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	begin := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return check.Report{Failure(name, "WordPress does not answer: "+err.Error(), advice)}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	switch {
	case resp.StatusCode == http.StatusLoopDetected:
		return check.Report{Failure(name, u.URL+" leads back to calbridge", advice)}
	case resp.StatusCode != http.StatusOK:
		return check.Report{Warning(name, fmt.Sprintf("%s answers the namespace %s with status %d", u.URL, namespace, resp.StatusCode), advice)}
	}
	return check.Report{Success(name, fmt.Sprintf("%s answers in %s", u.URL, time.Since(begin).Round(time.Millisecond)))}
}
