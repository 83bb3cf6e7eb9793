package sitecheck

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/rollout"
	"calbridge/wpstore/check"
)

// Settings checks the settings by themselves.
func Settings(s *settings.Settings) check.Report {
	var report check.Report
	if wp := s.Origin.WPConfig; wp != nil {
		report = append(report, Success("settings.wp-config", fmt.Sprintf("%s: %d constants and variables found", wp.Path, len(wp.Settings))))
		for _, n := range wp.Notes {
			report = append(report, Warning("settings.wp-config", fmt.Sprintf("%s:%d %s", wp.Path, n.Line, n.Text),
				"If that line sets something calbridge needs, set it with a flag or an environment variable."))
		}
	}
	for _, text := range s.Origin.Warnings {
		report = append(report, Warning("settings.wp-config", text, ""))
	}
	report = append(report, Environment(s)...)
	report = append(report, Former(s)...)
	report = append(report, proxyFinding(&s.Listen)...)
	report = append(report, extensionsFinding(s)...)
	report = append(report, stateFinding(s)...)
	report = append(report, levelFinding(s)...)
	if s.Uploads.Dir != "" && !s.API.ReadOnly {
		report = append(report, uploadsFinding(s.Uploads.Dir, s.Now()))
	}
	return report
}

// Environment warns of environment variables that are named like settings, but that no setting
// reads.
func Environment(s *settings.Settings) check.Report {
	var report check.Report
	for _, variable := range s.Origin.Ignored {
		report = append(report, Warning("settings.environment", "the environment variable "+variable.Name+" is ignored: there is no such setting", variable.Advice))
	}
	return report
}

// Former warns of settings in forms that the next release won't accept.
func Former(s *settings.Settings) check.Report {
	var report check.Report
	for _, f := range s.Origin.Former {
		report = append(report, Warning("settings.former", f.Form+" still works, but not in the next release: "+f.Advice, "Change it before the next upgrade."))
	}
	return report
}

// extensionsFinding explains why calbridge's own routes are not served despite --extensions.
func extensionsFinding(s *settings.Settings) check.Report {
	switch {
	case !s.API.Extensions || s.Extends():
		return nil
	case s.Rollout.Plan.Mode == rollout.Auto:
		return check.Report{Warning("settings.extensions", "--extensions has no effect with --mode auto: WordPress has no such routes to compare with, and they would show what plugins hide",
			"Omit --extensions, or choose another --mode once you know that no plugin hides events.")}
	}
	return check.Report{Warning("settings.extensions", "--extensions has no effect with --compat exact, which answers exactly like WordPress",
		"Choose --compat safe or fixed, or omit --extensions.")}
}

// stateFinding warns of a state folder in which nothing is stored.
func stateFinding(s *settings.Settings) check.Report {
	if s.StateDir == "" || s.Extends() || s.Rollout.Plan.Mode == rollout.Auto || s.Companion.URL != "" || s.Cache.Purge != "" {
		return nil
	}
	return check.Report{Warning("settings.state-dir", "nothing is stored in --state-dir: only --extensions, --mode auto, --purge and the companion plugin have data that survives a restart",
		"Omit --state-dir, or add what you need it for.")}
}

// levelFinding explains at which level mode auto answers.
func levelFinding(s *settings.Settings) check.Report {
	if reads := s.ReadCompat(); reads != s.API.Compat {
		writes := "WordPress performs writes"
		if s.Rollout.Proof.Writes {
			writes = "writes follow --compat " + string(s.API.Compat)
		}
		return check.Report{Success("settings.compat", fmt.Sprintf("with --mode auto, reads are answered as with --compat %s, because WordPress gives those responses to anybody; %s", reads, writes))}
	}
	return nil
}

// uploadsFinding tries to write where pictures are stored: in the uploads folder, or in its
// folder of the month if WordPress has made one.
func uploadsFinding(dir string, now time.Time) check.Finding {
	const name = "settings.uploads-dir"
	if month := filepath.Join(dir, now.Format("2006"), now.Format("01")); isDir(month) {
		dir = month
	}
	f, err := os.CreateTemp(dir, ".calbridge-check-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return Warning(name, "pictures cannot be stored: "+err.Error(),
			"Pass the site's uploads folder (wp-content/uploads), and let calbridge's user write there, as PHP's user can. Until then, events with pictures by URL are refused.")
	}
	return Success(name, dir+" is writable")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// proxyFinding warns where a proxy on another machine, or in another container, would be
// taken for the only client.
func proxyFinding(l *settings.Listen) check.Report {
	host, _, err := net.SplitHostPort(l.API)
	if err != nil || l.TLSCert != "" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	others := func(p netip.Prefix) bool { return !p.Addr().IsLoopback() }
	if host == "localhost" || err == nil && ip.IsLoopback() || slices.ContainsFunc(l.TrustedProxies, others) {
		return nil
	}
	return check.Report{Warning("listen.trusted-proxies", l.API+" can be reached from other machines, but --trusted-proxies names none of them",
		"Add the address of the proxy in front. Without it, --login-tries and --rate-limit count all clients as one, and calbridge doesn't recognise HTTPS.")}
}
