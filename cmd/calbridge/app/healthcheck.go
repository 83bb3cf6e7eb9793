package app

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
)

// healthTimeout leaves time for the server's query.
const healthTimeout = daemon.ReadyTimeout + 2*time.Second

// healthcheckCommand asks the ops listener of a running server whether it is ready:
// containers have no curl.
func healthcheckCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	s, err := settings.Read(p, settings.Command{Name: "healthcheck", Args: args, Has: settings.Named("ops-listen", "config")})
	if err != nil {
		return err
	}
	if s.Listen.Ops == "" {
		return cmdline.Usagef("healthcheck: --ops-listen is off, so there is nothing to ask")
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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s answers with status %d", url, resp.StatusCode)
	}
	return nil
}
