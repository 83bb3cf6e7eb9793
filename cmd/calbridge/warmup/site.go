package warmup

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/wprest"
)

// Bounds of one request.
const (
	timeout = time.Minute
	maxBody = 32 << 20
)

// Site describes how requests reach the server.
type Site struct {
	// URL is the address of the site: scheme, host, port and directory.
	URL string
	// Host is the host that requests name, if it differs from that of URL: with the scheme of the
	// site's visitors ("https://town.example"), or without.
	Host string
	// Namespace is the REST namespace, without slashes around it.
	Namespace string
	// Agent is the User-Agent.
	Agent string
}

// client sends requests to a site.
type client struct {
	base         *url.URL
	host, scheme string
	namespace    wprest.Namespace
	agent        string
	http         *http.Client
}

func newClient(s Site) (*client, error) {
	base, err := url.Parse(strings.TrimSuffix(s.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("site %q is not a URL such as https://town.example", s.URL)
	}
	c := &client{base: base, host: base.Host, scheme: base.Scheme, namespace: wprest.NewNamespace(s.Namespace), agent: s.Agent, http: &http.Client{
		Timeout: timeout,
		// A redirection is the answer that clients get.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if s.Host != "" {
		if c.scheme, c.host, err = replay.ParseHost(s.Host, base.Scheme); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// get returns status and body of the response to a target: a path with its query.
func (c *client) get(ctx context.Context, target string) (status int, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.Scheme+"://"+c.base.Host+target, nil)
	if err != nil {
		return 0, "", err
	}
	req.Host = c.host
	req.Header.Set("User-Agent", c.agent)
	if c.scheme != c.base.Scheme {
		req.Header.Set("X-Forwarded-Proto", c.scheme)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	return resp.StatusCode, string(text), err
}

// view is a language of the site: in the directory before the REST root, or in an argument. The zero
// value is the site's own root.
type view struct{ dir, argument string }

// target returns the target of a route of the namespace. The query must be escaped already.
func (c *client) target(v view, route, query string) string {
	if v.argument != "" {
		query = strings.TrimSuffix(v.argument+"&"+query, "&")
	}
	if query != "" {
		query = "?" + query
	}
	return c.base.Path + v.dir + recording.RESTRoot + string(c.namespace) + route + query
}

// views returns the site's own root and its languages, as the namespace's index lists them.
func (c *client) views(ctx context.Context) ([]view, error) {
	target := c.target(view{}, "", "")
	index, err := c.index(ctx, target)
	if err != nil {
		return nil, err
	}
	routes := (&wprest.Index{Namespace: c.namespace}).Read(index)
	if len(routes) == 0 {
		return nil, fmt.Errorf("%s is not the index of the namespace %s: check --url and --namespace", target, c.namespace)
	}
	all, codes := []view{{}}, map[string]bool{}
	for _, route := range routes {
		for _, arg := range route.Args(http.MethodGet) {
			if !slices.Contains(wprest.LanguageArgs(), arg.Name) {
				continue
			}
			for _, code := range arg.Enum {
				if !wprest.LanguageLike(code) || code == "all" || codes[code] {
					continue
				}
				codes[code] = true
				v := view{dir: "/" + code}
				if index, err := c.index(ctx, c.target(v, "", "")); err != nil || index.Member("routes") == nil {
					v = view{argument: arg.Name + "=" + url.QueryEscape(code)}
				}
				all = append(all, v)
			}
		}
	}
	return all, ctx.Err()
}

// index returns the namespace's index at a target.
func (c *client) index(ctx context.Context, target string) (*jsontree.Node, error) {
	status, body, err := c.get(ctx, target)
	if err != nil {
		return nil, err
	}
	root, err := jsontree.Parse(body)
	if err != nil || status != http.StatusOK {
		return nil, fmt.Errorf("%s answers with status %d: check --url and --namespace", target, status)
	}
	return root, nil
}
