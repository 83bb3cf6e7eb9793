package app

import (
	"context"
	"fmt"
	"net/http"

	"calbridge/cmd/calbridge/cmdline"
)

// healthcheckCommand asks the ops listener of a running server whether it is ready. It exists
// because container images often have no curl.
func healthcheckCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	s, err := opsSettings(p, "healthcheck", args, nil)
	if err != nil {
		return err
	}
	if err := readiness(ctx, opsURL(s, "/readyz")); err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	fmt.Fprintln(p.Stdout, "ready")
	return nil
}

func readiness(ctx context.Context, url string) error {
	if _, err := readOps(ctx, http.MethodGet, url); err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	return nil
}
