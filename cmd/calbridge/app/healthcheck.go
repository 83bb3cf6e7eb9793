package app

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
)

// healthTimeout exceeds the time that the server allows for its own query.
const healthTimeout = daemon.ReadyTimeout + 2*time.Second

// healthcheckCommand asks the ops listener of a running server whether it is ready. It exists
// because container images often have no curl.
func healthcheckCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	s, err := settings.Read(p, settings.Command{Name: "healthcheck", Args: args, Has: settings.Named("ops-listen", "config")})
	if err != nil {
		return err
	}
	if s.Listen.Ops == "" {
		return cmdline.Usagef("healthcheck: --ops-listen is off: set it to the server's ops address")
	}
	if err := readiness(ctx, "http://"+httpserver.DialAddress(s.Listen.Ops)+"/readyz"); err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	fmt.Fprintln(p.Stdout, "ready")
	return nil
}

func readiness(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	body, err := askOps(ctx, url)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	return body.Close()
}

// askOps sends a request to the ops listener. The caller closes the body. Any status other
// than 200 is an error.
func askOps(ctx context.Context, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s answers with status %d", url, resp.StatusCode)
	}
	return resp.Body, nil
}
