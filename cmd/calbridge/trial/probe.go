package trial

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"calbridge/compat/recording"
)

// Obstacle is why a site can't be tried: what was found, and what to do, a sentence each.
type Obstacle struct{ Found, Advice string }

// Error implements error.
func (o *Obstacle) Error() string { return o.Found + ". " + o.Advice }

// maxIndex limits the index of a REST API, in bytes.
const maxIndex = 16 << 20

// probeTime bounds the request of a probe.
const probeTime = time.Minute

// Address is the address under which a site is requested.
type Address struct {
	URL string
	// Host is the scheme and host that the site is known by, "" for those of URL.
	Host string
	// Agent is the User-Agent, "calbridge-trial" if empty.
	Agent string
}

// client returns a client that follows no redirects, since they are findings.
func (a Address) client() *http.Client {
	c := &http.Client{Timeout: probeTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if home, err := url.Parse(a.Host); err == nil && home.Host != "" {
		c.Transport = &http.Transport{TLSClientConfig: &tls.Config{ServerName: home.Hostname()}, DisableKeepAlives: true}
	}
	return c
}

// Probe requests the index of the site's REST API and returns an [Obstacle] if the site can't be
// recorded. active reports that The Events Calendar is active by the database.
func Probe(ctx context.Context, at Address, active bool) error {
	site := at.URL
	home, err := url.Parse(site)
	if err != nil || home.Host == "" || home.Scheme != "http" && home.Scheme != "https" {
		return &Obstacle{fmt.Sprintf("%q is not the URL of a site", site), "Pass it with scheme and host: --url https://example.org"}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(site, "/")+"/?rest_route=/", nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", cmp.Or(at.Agent, "calbridge-trial"))
	if scheme, host, ok := strings.Cut(at.Host, "://"); ok {
		req.Host = host
		req.Header.Set("X-Forwarded-Proto", scheme)
	}
	resp, err := at.client().Do(req)
	if err != nil {
		return unreachable(home, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxIndex))
	if err != nil {
		return unreachable(home, err)
	}
	if obstacle := refused(home, resp, string(body)); obstacle != nil {
		return obstacle
	}
	var index struct {
		Namespaces []string `json:"namespaces"`
	}
	if err := json.Unmarshal(body, &index); err != nil || index.Namespaces == nil {
		return &Obstacle{fmt.Sprintf("%s doesn't answer as a WordPress with a REST API (status %d)", site, resp.StatusCode),
			"Pass the address of WordPress itself with --url, and check that no plugin switches the REST API off."}
	}
	switch {
	case slices.Contains(index.Namespaces, recording.DefaultNamespace):
		return nil
	case active:
		return &Obstacle{fmt.Sprintf("The Events Calendar is active, but the site has no namespace %s", recording.DefaultNamespace),
			"Switch its REST API on: Events > Settings, or the plugin that removes the namespace."}
	}
	return &Obstacle{fmt.Sprintf("The Events Calendar is not active on %s", site), "Activate the plugin, or pass another site with --url."}
}

// unreachable explains why a request has failed.
func unreachable(home *url.URL, err error) error {
	var unknown *net.DNSError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &unknown):
		return &Obstacle{fmt.Sprintf("the name %s can't be resolved", home.Hostname()), "Correct --url."}
	case errors.As(err, &authority), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &verification):
		return &Obstacle{fmt.Sprintf("the certificate of %s is not valid: %v", home.Host, errors.Unwrap(err)), "Correct it, or pass an address with http:// that reaches the same WordPress."}
	}
	return &Obstacle{fmt.Sprintf("%s can't be reached: %v", home.Host, errors.Unwrap(err)), "Start the site, or correct --url."}
}

// refused explains a response that isn't the index; it returns nil for any other.
func refused(home *url.URL, resp *http.Response, body string) error {
	switch status := resp.StatusCode; {
	case status >= 300 && status < 400:
		to, err := resp.Location()
		if err != nil {
			return &Obstacle{fmt.Sprintf("%s redirects to an address that can't be read", home), "Pass the site's own address with --url."}
		}
		if strings.Contains(to.Path, "wp-login.php") {
			return behindLogin(home)
		}
		if to.Scheme == home.Scheme && to.Host == home.Host {
			return &Obstacle{fmt.Sprintf("%s redirects its REST API to %s", home, to.Path), "Pass the address of WordPress itself, with its folder, with --url."}
		}
		return &Obstacle{fmt.Sprintf("%s redirects to %s://%s", home, to.Scheme, to.Host), fmt.Sprintf("Run this for that address: --url %s://%s", to.Scheme, to.Host)}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return behindLogin(home)
	case status == http.StatusServiceUnavailable && (resp.Header.Get("Retry-After") != "" || strings.Contains(strings.ToLower(body), "maintenance")):
		return &Obstacle{fmt.Sprintf("%s is in maintenance (status 503)", home), "Run this again when the site is back."}
	case status >= 500:
		return &Obstacle{fmt.Sprintf("%s answers with status %d", home, status), "Repair the site first; its error log says more."}
	}
	return nil
}

func behindLogin(home *url.URL) error {
	return &Obstacle{fmt.Sprintf("%s is behind a login, or something closes its REST API to visitors", home),
		"Pass an address that reaches WordPress without the login, such as one on the same machine, with --url; or open the REST API."}
}
