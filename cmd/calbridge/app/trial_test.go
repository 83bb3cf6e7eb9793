package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/rest/rollout"
)

// TestTrialOfSeveral checks that each of several sites has a folder of its own for its trial.
func TestTrialOfSeveral(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sites.conf")
	if err := os.WriteFile(file, []byte("[town]\naddress = https://town.example/\ncompat = exact\n[lake]\naddress = https://lake.example/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := trialRun{p: &cmdline.Process{Getenv: func(string) string { return "" }, Stdout: os.Stdout, Stderr: os.Stderr}, args: []string{"--dsn", "sqlite:none.db", "--sites", file, "--site", "town.example"}}
	s, err := run.settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if run.site != "town" || run.dir != "calbridge-trial-town" || string(s.API.Compat) != "exact" || s.Listen.API != "127.0.0.1:0" {
		t.Errorf("site %q in %q, compat %s, listen %q", run.site, run.dir, s.API.Compat, s.Listen.API)
	}
}

// TestTrialSettings checks that a trial serves by itself on a private port, whatever the settings
// of the service are.
func TestTrialSettings(t *testing.T) {
	config := filepath.Join(t.TempDir(), "calbridge.conf")
	if err := os.WriteFile(config, []byte("listen = :80\nrate-limit = 5\nmode = auto\nupstream = http://127.0.0.1:8081\ntls-cert = gone.pem\ntls-key = gone.key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := trialRun{p: &cmdline.Process{Getenv: func(string) string { return "" }, Stdout: os.Stdout, Stderr: os.Stderr}, args: []string{"--config", config, "--dsn", "wp:geheim@tcp(db)/wp"}}
	s, err := run.settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Listen.API != "127.0.0.1:0" || s.Limits.RequestsPerSecond != 0 || s.Rollout.Plan.Mode != rollout.Native || s.Rollout.Upstream.URL != "" || s.Listen.TLSCert != "" || s.Listen.TLSKey != "" {
		t.Errorf("listen %q, %v requests a second, mode %s, upstream %q", s.Listen.API, s.Limits.RequestsPerSecond, s.Rollout.Plan.Mode, s.Rollout.Upstream.URL)
	}
}

// TestCommandLine checks that the verdict's command has the user's settings, without flags of
// trial and without passwords.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--wp-config wp-config.php --url https://a.example", "calbridge serve --wp-config wp-config.php"},
		{"--url=https://a.example --dir x --wp-config a b", "calbridge serve --wp-config a b"},
		{"--delay 1s --network --site 7 --dsn wp:geheim@tcp(db)/wp", "calbridge serve --network --dsn 'wp:…@tcp(db)/wp'"},
		{"--home it's", `calbridge serve --home 'it'\''s'`},
	} {
		t.Run(c.args, func(t *testing.T) {
			if got := commandLine(slices.Concat([]string{"serve"}, withoutOwn(strings.Split(c.args, " ")))); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
