package systemtest

import (
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/wptest"
)

// TestNetworkStart checks what serve --network logs about the network, and what it refuses.
func TestNetworkStart(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.Site(t, "sqlite", "network")
	server := start(t, nil, "serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN)
	if log := server.stderr.String(); !strings.Contains(log, `msg="a network of sites" sites=8 closed=3 main=sit.example/`) {
		t.Errorf("no line about the network:\n%s", log)
	}
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"one site":    {[]string{"--dsn", db.DSN, "--wp-config", n.config(t), "--blog-id", "2"}, cmdline.Usage, "--blog-id and --network exclude each other"},
		"a file":      {[]string{"--dsn", db.DSN, "--wp-config", n.config(t), "--sites", "sites.conf"}, cmdline.Usage, "--network and --sites exclude each other"},
		"no database": {nil, cmdline.Usage, "no database configured"},
		"no tables":   {[]string{"--dsn", "sqlite:" + sampleFile(t)}, cmdline.Failed, "the database has no WordPress network (multisite)"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, command := range []string{"serve", "check"} {
				code, stdout, stderr := once(t, nil, append([]string{command, "--network", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, c.args...)...)
				if code != c.code || !strings.Contains(stdout+stderr, c.want) {
					t.Errorf("%s: exit %d: %s%s", command, code, stdout, stderr)
				}
			}
		})
	}
}
