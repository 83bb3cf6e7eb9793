package site

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/webhook"
	"calbridge/compat/recording"
	"calbridge/rest/rollout"
	"calbridge/wpstore/check"
)

// validate checks the settings without the database. Open and Check both call it, so that they
// refuse the same settings with the same messages. files may be nil.
func validate(s *settings.Settings, files *Files) check.Report {
	report := sitecheck.Settings(s)
	if _, err := files.profile(s); err != nil {
		report = append(report, sitecheck.Failure("settings.profile", err.Error(), "Build it with `calbridge profile build`, or omit --profile: calbridge then uses its own wording."))
	}
	for _, rule := range settingRules {
		if err := rule.broken(s); err != nil {
			report = append(report, sitecheck.Failure("settings."+rule.setting, err.Error(), rule.advice))
		}
	}
	return report
}

// rule is a condition that settings must meet. broken returns an error if they don't.
type rule struct {
	setting, advice string
	broken          func(*settings.Settings) error
}

// settingRules lists all rules.
var settingRules = []rule{
	{"tls", "Pass a readable certificate chain and its key, both PEM.", func(s *settings.Settings) error {
		_, err := httpserver.NewCertificate(nil).Load(s.Listen.TLSCert, s.Listen.TLSKey)
		return err
	}},
	{"companion", "Pass the address at which PHP answers, and the secret that wp-config.php has as CALBRIDGE_SECRET.", func(s *settings.Settings) error {
		return s.Companion.Check()
	}},
	{"mode", "Set --upstream to an address at which PHP answers for this site, such as a server block of its own on loopback (docker/nginx/wordpress.conf), or omit --mode and --mode-share.", func(s *settings.Settings) error {
		if plan := s.Rollout.Plan; s.Rollout.Upstream.URL == "" && !plan.Alone() {
			return fmt.Errorf("--mode %s with --mode-share %g needs --upstream, the address of WordPress itself", plan.Mode, plan.Clients)
		}
		return nil
	}},
	{"upstream", "Scheme, host and port are enough: calbridge adds the path of each request.", func(s *settings.Settings) error {
		if s.Rollout.Upstream.URL == "" {
			return nil
		}
		if err := s.Rollout.Upstream.Check(); err != nil {
			return fmt.Errorf("--mode and --upstream: %w", err)
		}
		return nil
	}},
	{"cache", "Omit --cache, or choose another --mode.", func(s *settings.Settings) error {
		if mode := s.Cache.Mode; s.Rollout.Plan.Mode == rollout.Auto && mode != settings.CacheAuto && mode != settings.CacheStrict {
			return errNoLog
		}
		return nil
	}},
	{"purge", "Correct the file or the settings, or omit --purge: caches in front then store what their own configuration lets them (docker/push.md).", func(s *settings.Settings) error {
		_, err := openPurge(s)
		return err
	}},
	{"compare-rules", "Correct the file, or omit --compare-rules.", func(s *settings.Settings) error {
		if !s.Rollout.Plan.Compares() {
			return nil
		}
		compare := s.Rollout.Compare
		compare.Journal = "" // a check must not create the journal
		judge, err := diffmode.Open(diffmode.Config{Settings: compare})
		return errors.Join(err, judge.Close())
	}},
	{"compare-log", "Use a new file in a folder where calbridge's user may write.", func(s *settings.Settings) error {
		name := s.Rollout.Compare.Journal
		if name == "" || !s.Rollout.Plan.Compares() {
			return nil
		}
		if err := recording.CheckAppend(name); err != nil {
			return fmt.Errorf("--compare-log: %w", err)
		}
		return nil
	}},
	{"webhooks", "Correct the file (docker/webhooks.md), or omit --webhooks.", CheckWebhooks},
	{"state-dir", "Let calbridge's user create this folder and write there, or omit --state-dir: then nothing survives a restart.", func(s *settings.Settings) error {
		if s.StateDir == "" {
			return nil
		}
		for _, dir := range []string{s.StateDir, journalDir(s), proofDir(s), purgeDir(s)} {
			if err := mayWrite(dir); err != nil {
				return fmt.Errorf("--state-dir: %s is not writable: %w", dir, err)
			}
		}
		return nil
	}},
}

// CheckWebhooks returns an error if webhooks can't be sent with the settings of a process.
func CheckWebhooks(s *settings.Settings) error {
	if s.API.Webhooks == "" {
		return nil
	}
	// Each site of a file may have extensions of its own.
	if s.StateDir == "" || s.Sites.File == "" && !s.Extends() {
		return errors.New("--webhooks needs --extensions and --state-dir, and has no effect with --compat exact or --mode auto, like the routes about changes")
	}
	targets, err := webhook.Load(s.API.Webhooks)
	if err != nil {
		return fmt.Errorf("--webhooks: %w", err)
	}
	for _, t := range targets {
		if len(t.Sites) > 0 && !s.Sites.Several() {
			return fmt.Errorf("--webhooks: the target %q has sites, which need --network or --sites", t.Name)
		}
	}
	return nil
}

// errNoLog is returned in mode auto if the binary log is not followed.
var errNoLog = errors.New("--mode auto needs --cache auto or strict, and a database whose binary log can be followed: `calbridge check` lists what is missing")

// journalDir, proofDir and purgeDir return folders in the state folder.
func journalDir(s *settings.Settings) string { return filepath.Join(s.StateDir, "journal") }
func proofDir(s *settings.Settings) string   { return filepath.Join(s.StateDir, "proof") }
func purgeDir(s *settings.Settings) string   { return filepath.Join(s.StateDir, "purge") }

// WebhooksDir returns the folder of what the senders of webhooks keep.
func WebhooksDir(s *settings.Settings) string { return filepath.Join(s.StateDir, "webhooks") }

// mayWrite returns an error if files cannot be created in a folder. If the folder does not
// exist, it checks the nearest existing folder above, without creating any.
func mayWrite(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, os.ErrNotExist) && filepath.Dir(dir) != dir {
		return mayWrite(filepath.Dir(dir))
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	f, err := os.CreateTemp(dir, ".calbridge-check-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
