package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthTimeout leaves room for the server's own question to the database.
const healthTimeout = readyTimeout + 2*time.Second

// errNotReady is what healthcheck says of a server that answers but cannot serve.
var errNotReady = errors.New("not ready")

// healthcheckCommand asks the ops listener of a running server whether it is
// ready: for containers, which have no curl.
func healthcheckCommand(ctx context.Context, p *program, args []string) error {
	var table []setting
	for _, s := range settingTable() {
		if s.name == "ops-listen" || s.name == "config" {
			table = append(table, s)
		}
	}
	c, err := configure(p, "healthcheck", args, table, nil)
	if err != nil {
		return err
	}
	if c.opsListen == "" {
		return usagef("healthcheck: --ops-listen is off, so there is nobody to ask")
	}
	if err := readiness(ctx, "http://"+dialAddress(c.opsListen)+"/readyz"); err != nil {
		return fmt.Errorf("healthcheck: %w", err)
	}
	fmt.Fprintln(p.stdout, "ready")
	return nil
}

// dialAddress turns an address to listen on into one to connect to.
func dialAddress(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip != nil && ip.IsUnspecified()) {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
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
		return fmt.Errorf("%w: %s answers with status %d", errNotReady, url, resp.StatusCode)
	}
	return nil
}
