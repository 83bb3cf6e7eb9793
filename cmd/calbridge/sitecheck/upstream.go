package sitecheck

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"calbridge/rest/rollout"
	"calbridge/wpstore"
)

// Upstream asks WordPress for the namespace, as clients will be.
func Upstream(ctx context.Context, u rollout.Upstream, namespace string) wpstore.Report {
	const name = "rollout.upstream"
	const advice = "Set --upstream to an address at which PHP answers for this site, such as a server block of its own on loopback (docker/nginx/wordpress.conf), and --upstream-host to the site's host name."
	if u.URL == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(u.Timeout, 10*time.Second))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(u.URL, "/")+"/?rest_route=/"+namespace, nil)
	if err != nil {
		return wpstore.Report{Failure(name, err.Error(), advice)}
	}
	req.Host = u.Host
	req.Header.Set(rollout.Marker, "1")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	begin := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return wpstore.Report{Failure(name, "WordPress does not answer: "+err.Error(), advice)}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	switch {
	case resp.StatusCode == http.StatusLoopDetected:
		return wpstore.Report{Failure(name, u.URL+" leads back to calbridge", advice)}
	case resp.StatusCode != http.StatusOK:
		return wpstore.Report{Warning(name, fmt.Sprintf("%s answers the namespace %s with status %d", u.URL, namespace, resp.StatusCode), advice)}
	}
	return wpstore.Report{Success(name, fmt.Sprintf("%s answers in %s", u.URL, time.Since(begin).Round(time.Millisecond)))}
}
