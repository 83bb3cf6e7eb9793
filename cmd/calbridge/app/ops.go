package app

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
)

const (
	// healthTimeout exceeds the time that the server allows for its own query.
	healthTimeout = daemon.ReadyTimeout + 2*time.Second
	// maxOps limits a response of the ops listener, in bytes.
	maxOps = 64 << 20
	// maxRefusal limits the text of a refusal that is shown, in bytes.
	maxRefusal = 2000
)

// opsSettings reads the settings of a command that talks to a running server: the ops address, and others
// by name. flags adds flags that are not settings; it may be nil.
func opsSettings(p *cmdline.Process, name string, args []string, flags func(*flag.FlagSet), others ...string) (*settings.Settings, error) {
	s, err := settings.Read(p, settings.Command{Name: name, Args: args, Has: settings.Named(append(others, "ops-listen", "config")...), Actions: actionsHelp(name), Flags: flags})
	if err == nil && s.Listen.Ops == "" {
		err = cmdline.Usagef("%s: --ops-listen is off: set it to the server's ops address", name)
	}
	return s, err
}

// opsURL returns the URL of a path of the ops listener.
func opsURL(s *settings.Settings, path string) string {
	return "http://" + httpserver.DialAddress(s.Listen.Ops) + path
}

// askOps sends a GET request to the ops listener. The caller closes the body.
func askOps(ctx context.Context, url string) (io.ReadCloser, error) {
	return sendOps(ctx, http.MethodGet, url)
}

// refusal is returned for a response of the ops listener with another status than 200.
type refusal struct {
	url    string
	status int
	text   string
}

// Error implements error.
func (r refusal) Error() string {
	return fmt.Sprintf("%s answers with status %d: %s", r.url, r.status, r.text)
}

// sendOps sends a request to the ops listener. The caller closes the body. Any status other than 200 is an
// error with the text of the refusal.
func sendOps(ctx context.Context, method, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		req.Header.Set(daemon.ReplayHeader, "1")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
		resp.Body.Close()
		return nil, refusal{url, resp.StatusCode, strings.TrimSpace(string(text))}
	}
	return resp.Body, nil
}

// readOps returns the response of the ops listener to a request, within healthTimeout.
func readOps(ctx context.Context, method, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	body, err := sendOps(ctx, method, url)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, maxOps))
}
