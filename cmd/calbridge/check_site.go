package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"calbridge/rest/phpdate"
	"calbridge/rest/wpauth"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// settingsFindings looks at the settings themselves.
func (c *configuration) settingsFindings() sitedb.Report {
	var report sitedb.Report
	if c.wp != nil {
		report = append(report, success("settings.wp-config", fmt.Sprintf("%s: %d constants read", c.wp.Path, len(c.wp.Constants))))
		for _, line := range c.wp.Includes {
			report = append(report, warning("settings.wp-config", fmt.Sprintf("%s:%d runs code from elsewhere, which is not followed", c.wp.Path, line),
				"Set what is defined there as settings of calbridge."))
		}
		for _, u := range c.wp.Unreadable {
			if u.Name == "" {
				report = append(report, warning("settings.wp-config", fmt.Sprintf("%s:%d %s", c.wp.Path, u.Line, u.Why),
					"If it defines what calbridge needs, pass that as a setting."))
			}
		}
	}
	for _, text := range c.warnings {
		report = append(report, warning("settings.wp-config", text, ""))
	}
	if c.uploadsDir != "" && !c.readOnly {
		report = append(report, uploadsFinding(c.uploadsDir, c.now()))
	}
	return report
}

// uploadsFinding tries to write where pictures are stored: in the uploads folder,
// or in that of the month where WordPress has made one already.
func uploadsFinding(dir string, now time.Time) sitedb.Finding {
	const name = "settings.uploads-dir"
	if month := filepath.Join(dir, now.Format("2006"), now.Format("01")); isDir(month) {
		dir = month
	}
	f, err := os.CreateTemp(dir, ".calbridge-check-*")
	if err == nil {
		err = errors.Join(f.Close(), os.Remove(f.Name()))
	}
	if err != nil {
		return warning(name, "pictures cannot be stored: "+err.Error(),
			"Name the site's uploads folder (wp-content/uploads), and let calbridge's user write there as PHP's may. Events with pictures by URL are refused until then.")
	}
	return success(name, dir+" can be written")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// listenFindings tries the addresses. Those that are in use are fine when it is
// calbridge that uses them.
func (c *configuration) listenFindings(ctx context.Context) sitedb.Report {
	var report sitedb.Report
	running := c.opsListen != "" && isCalbridge(ctx, dialAddress(c.opsListen))
	try := func(name, addr string) {
		l, err := net.Listen("tcp", addr)
		switch {
		case errors.Is(err, syscall.EADDRINUSE) && running:
			report = append(report, success(name, addr+" is in use, and calbridge is running"))
		case err != nil:
			report = append(report, failure(name, "cannot listen: "+err.Error(), adviseListen(err)))
		default:
			l.Close()
			report = append(report, success(name, addr+" is free"))
		}
	}
	try("listen.api", c.listen)
	if c.opsListen == "" {
		return append(report, warning("listen.ops", "no metrics and no health checks", "Set --ops-listen to have them."))
	}
	try("listen.ops", c.opsListen)
	if host, _, err := net.SplitHostPort(c.opsListen); err == nil {
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			report = append(report, warning("listen.ops", c.opsListen+" can be reached from other machines", "Make sure that only those who run the server can."))
		}
	}
	return report
}

// isCalbridge asks whether a calbridge runs behind the ops address.
func isCalbridge(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/version", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 100))
	return strings.HasPrefix(string(text), "calbridge ")
}

// siteFindings tells what the options of the site mean to the interface.
func (c *configuration) siteFindings(facts *wpstore.SiteFacts) sitedb.Report {
	report := sitedb.Report{
		success("site.address", fmt.Sprintf("home %s, siteurl %s", firstOf(c.home, facts.Home), firstOf(c.siteURL, facts.SiteURL))),
		success("site.api", strings.TrimRight(firstOf(c.home, facts.Home), "/")+c.apiPath(facts)),
		success("site.timezone", zoneText(facts)),
		success("site.per-page", perPage(facts)),
		c.themeFinding(facts),
		c.languageFinding(facts),
		c.keyFinding(facts),
	}
	if c.profile == "" {
		report = append(report, warning("site.wording", "calbridge's own error messages and descriptions",
			"For the site's own, record it and build a profile: `calbridge profile build`."))
	} else {
		report = append(report, success("site.wording", c.profile))
	}
	if c.recordUse && c.applicationPasswords != "off" && facts.UsingApplicationPasswords {
		report = append(report, success("site.application-passwords", "in use; their last use is recorded, which needs UPDATE on the table of user metadata"))
	}
	return report
}

func (c *configuration) apiPath(facts *wpstore.SiteFacts) string {
	switch {
	case facts.PermalinkStructure == "":
		return "/index.php?rest_route=/" + c.namespace + "/ (plain permalinks)"
	case strings.HasPrefix(facts.PermalinkStructure, "/index.php/"):
		return "/index.php/" + c.restPrefix + "/" + c.namespace + "/"
	}
	return "/" + c.restPrefix + "/" + c.namespace + "/ (permalinks " + facts.PermalinkStructure + ")"
}

func zoneText(facts *wpstore.SiteFacts) string {
	return phpdate.NewZones().Site(facts.TimezoneString, facts.GMTOffset).String()
}

func perPage(facts *wpstore.SiteFacts) string {
	if v := php.ToString(facts.Calendar.At("posts_per_page")); v != "" {
		return v + " events (the calendar's option)"
	}
	return facts.PostsPerPage + " events (WordPress's option)"
}

func (c *configuration) themeFinding(facts *wpstore.SiteFacts) sitedb.Finding {
	kind, sure := c.themeKind(facts.Template)
	found := fmt.Sprintf("%q, rendered as %s", facts.Template, kind)
	if sure {
		return success("site.theme", found)
	}
	return warning("site.theme", found, "Captions, galleries and layout classes in descriptions depend on the theme: compare a few and set --theme.")
}

// keyFinding looks whether cookies and nonces can be checked.
func (c *configuration) keyFinding(facts *wpstore.SiteFacts) sitedb.Finding {
	salts := wpauth.NewSalts(c.keys, func(option string) string { return facts.Raw[option] })
	var missing []string
	for _, scheme := range []wpauth.Scheme{wpauth.SchemeLoggedIn, wpauth.SchemeNonce} {
		if salts.Of(scheme) == "" {
			missing = append(missing, string(scheme))
		}
	}
	if len(missing) > 0 {
		return warning("site.keys", "no keys and salts for "+strings.Join(missing, " and "),
			"Logged-in browsers cannot be recognised: pass --wp-config, or the eight keys and salts.")
	}
	return success("site.keys", "there are keys and salts for cookies and nonces")
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
