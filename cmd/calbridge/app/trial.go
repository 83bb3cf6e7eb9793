package app

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/daemon"
	"calbridge/cmd/calbridge/logging"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/site"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/cmd/calbridge/sites"
	"calbridge/cmd/calbridge/trial"
	"calbridge/compat/profile"
	"calbridge/compat/record"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/i18n"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/rest/trait"
	"calbridge/wpstore/check"
)

// trialCommand records a site, serves it privately, compares both, and prints a verdict.
func trialCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	t := trialRun{p: p, args: args, progress: newProgress(p, "recording", "requests")}
	s, err := t.settings(ctx)
	if err != nil {
		return err
	}
	defer t.progress.finish()
	err = t.run(ctx, s)
	var obstacle *trial.Obstacle
	switch {
	case errors.As(err, &obstacle):
		fmt.Fprintf(p.Stdout, "Verdict     This site can't be tried: %s.\nNext        %s\n", strings.TrimSuffix(obstacle.Found, "."), obstacle.Advice)
		return cmdline.ExitError(cmdline.Failed)
	case err != nil && ctx.Err() != nil:
		fmt.Fprintf(p.Stderr, "Interrupted. Run the same command again to continue; what was recorded is in %s.\n", t.dir)
		return cmdline.ExitError(cmdline.Failed)
	}
	return err
}

// trialRun is one run of the command trial.
type trialRun struct {
	p        *cmdline.Process
	args     []string
	url, dir string
	user     string // for messages that visitors don't get; "" for none
	site     string // of several; "" for the only one
	several  settings.Sites
	delay    time.Duration
	progress *progress
}

// settings reads the settings of the site with further flags, which come after the user's own. The site is
// served privately.
func (t *trialRun) settings(ctx context.Context, further ...string) (*settings.Settings, error) {
	command := settings.Command{Name: "trial", Args: slices.Concat(t.args, further), Flags: func(fs *flag.FlagSet) {
		fs.StringVar(&t.url, "url", "", "`URL` of the site (default: the address that WordPress has stored)")
		fs.StringVar(&t.dir, "dir", "", "`DIR` for the recording, the profile and the report; nothing else is written (default: calbridge-trial, and with --site calbridge-trial-NAME)")
		fs.StringVar(&t.user, "user", "", userHelp)
		fs.StringVar(&t.site, "site", "", "try "+sites.SiteHelp)
		fs.DurationVar(&t.delay, "delay", 75*time.Millisecond, "shortest `TIME` between two requests to the site")
	}}
	s, err := settings.Read(t.p, command)
	if err != nil {
		return nil, err
	}
	t.several = s.Sites
	switch {
	case s.Sites.Several():
		o := sites.Opening{Settings: s, List: listSites(t.p, command), Logger: slog.New(slog.DiscardHandler)}
		of, err := o.Choose(ctx, t.site)
		if err != nil {
			return nil, fmt.Errorf("trial: %w", err)
		}
		s, t.site = of.Settings, of.Name
	case t.site != "":
		return nil, cmdline.Usagef("trial: --site names one of several sites: set --network or --sites too")
	}
	if t.dir == "" {
		t.dir = strings.TrimSuffix("calbridge-trial-"+t.site, "-")
	}
	servePrivately(s)
	return s, nil
}

// servePrivately changes settings so that they serve on a port that only this machine reaches, over plain HTTP,
// without limits for clients and without WordPress's help.
func servePrivately(s *settings.Settings) {
	s.Listen.API, s.Listen.Ops, s.Listen.TLSCert, s.Listen.TLSKey = "127.0.0.1:0", "", "", ""
	s.Limits.RequestsPerSecond = 0
	s.Rollout.Plan.Mode, s.Rollout.Plan.Clients, s.Rollout.Upstream.URL = rollout.Native, 100, ""
}

// file returns the path of a file of the trial.
func (t *trialRun) file(name string) string { return filepath.Join(t.dir, name) }

// run takes the steps of a trial. An [trial.Obstacle] explains why the site can't be tried.
func (t *trialRun) run(ctx context.Context, s *settings.Settings) error {
	findings, facts := site.Check(ctx, s)
	findings = slices.DeleteFunc(findings, func(f check.Finding) bool { return strings.HasPrefix(f.Name, "listen.") }) // trial chooses the ports
	if facts == nil || findings.Worst() == check.StatusFail {
		v := &trial.Verdict{Site: cmp.Or(t.url, "the site"), Findings: findings, Folder: t.dir}
		return errors.Join(v.Write(t.p.Stdout), cmdline.Exit(max(cmdline.Failed, exitOfFindings(findings))))
	}
	home := facts.Text(sitefacts.Home)
	address := strings.TrimSuffix(cmp.Or(t.url, home), "/")
	_, active := sitecheck.ActiveCalendar(facts.Texts(sitefacts.Plugins))
	host := otherHost(address, home)
	if err := trial.Probe(ctx, trial.Address{URL: address, Host: host, Agent: buildinfo.This().Agent("calbridge-trial")}, active); err != nil {
		return err
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return err
	}
	if err := t.writeCheck(findings, nil); err != nil {
		return err
	}
	password := ""
	if t.user != "" {
		var err error
		if password, err = passwordOf(t.p, "trial", t.user); err != nil {
			return err
		}
	}
	began := time.Now()
	recorded, err := record.Record(ctx, record.Options{
		URL: address, Host: host, Out: t.file("recording.jsonl.gz"), Profile: t.file("profile.json"), Namespace: recording.DefaultNamespace, Delay: t.delay, User: t.user, Password: password,
		Generator: buildinfo.This().String(), Agent: buildinfo.This().Agent("calbridge-record"), Progress: func(at record.Progress) { t.progress.set(int64(at.Done), int64(at.Planned)) },
	})
	t.progress.finish()
	if err != nil {
		return fmt.Errorf("record the site: %w", err)
	}
	if err := t.writeCheck(findings, recorded.Missing); err != nil {
		return err
	}
	v := &trial.Verdict{
		Site: address, WordPress: facts.Text(sitefacts.WordPress), Calendar: facts.Text(sitefacts.TEC), OldWordPress: facts.Traits().Has(trait.UnrecordedOlderWordPress),
		Findings: findings, Requests: recorded.Requests, Took: time.Since(began), Folder: t.dir,
	}
	if t.user == "" {
		v.ForUsers = profile.NeedLogin(recorded.Missing)
	}
	switch {
	case t.several.File != "":
		v.Among = fmt.Sprintf("Site %s of %s; run this once for each site, with --site.", t.site, t.several.File)
	case t.several.Network:
		v.Among = fmt.Sprintf("Site %s of a network; run this once for each site, with --site.", t.site)
	case facts.Is(sitefacts.Network):
		v.Among = fmt.Sprintf("Site %d of a network; run this once for each site, with --blog-id.", max(s.Database.BlogID, 1))
	}
	serving := t.serving(s, facts)
	if v.Compared, err = t.compare(ctx, serving); err != nil {
		return err
	}
	auto := []string{"--mode", "auto", "--upstream", origin(address)}
	serve := slices.Concat([]string{"serve"}, withoutOwn(t.args))
	if t.several.File == "" {
		v.Command, v.Auto = commandLine(slices.Concat(serve, serving)), commandLine(slices.Concat(serve, serving, auto))
	} else { // what follows from the trial of one site holds for this one alone
		v.Command, v.Auto = t.inFile(serve, serving), t.inFile(serve, slices.Concat(serving, auto))
	}
	v.Warm = t.warming(address, serving)
	files := report.Files{HTML: t.file("report.html"), JSON: t.file("report.json")}
	if err := files.Write(v.Compared); err != nil {
		return err
	}
	err = v.Write(t.p.Stdout)
	if v.Served() != trial.Natively {
		err = errors.Join(err, cmdline.ExitError(cmdline.Failed))
	}
	return err
}

// writeCheck writes the findings of check, and the messages that the profile lacks.
func (t *trialRun) writeCheck(findings check.Report, missing []profile.Message) error {
	var text strings.Builder
	sitecheck.WriteText(&text, findings, func(_ cmdline.Color, s string) string { return s })
	if len(missing) > 0 {
		fmt.Fprintf(&text, "\nThe profile lacks %d of the site's messages; calbridge has its own for them:\n", len(missing))
		for _, line := range profile.DescribeMissing(missing, t.user != "") {
			fmt.Fprintln(&text, "  "+line)
		}
	}
	return os.WriteFile(t.file("check.txt"), []byte(text.String()), 0o600)
}

// serving returns the flags with which the site is served like WordPress: its namespace, its
// language parameter, and the recorded profile. What the owner has set stays.
func (t *trialRun) serving(s *settings.Settings, facts *sitefacts.Document) (flags []string) {
	add := func(name, value string) {
		if value != "" && !s.Origin.ByOwner(name) {
			flags = append(flags, "--"+name, value)
		}
	}
	add("namespace", recording.DefaultNamespace)
	add("language-param", i18n.DetectPlugin(facts.Texts(sitefacts.Plugins)).Parameter())
	add("profile", t.file("profile.json"))
	return flags
}

// inFile returns the command that serves the sites of a file, and the lines that the tried site's section needs
// for some flags.
func (t *trialRun) inFile(serve, flags []string) string {
	text := commandLine(serve)
	for i := 0; i+1 < len(flags); i += 2 {
		if i == 0 {
			text += fmt.Sprintf("\n            with these lines below [%s] in %s:", t.site, t.several.File)
		}
		text += fmt.Sprintf("\n            %s = %s", strings.TrimPrefix(flags[i], "--"), flags[i+1])
	}
	return text
}

// warming returns the command that makes mode auto native sooner, for a server with some flags.
func (t *trialRun) warming(address string, serving []string) string {
	args := []string{"proof", "warm", "--url", address}
	if i := slices.Index(serving, "--namespace"); i >= 0 {
		args = append(args, serving[i:i+2]...)
	}
	if t.several.Several() {
		args = append(args, "--site", t.site)
	}
	return commandLine(args)
}

// compare serves the site on a port of this machine, and replays the recording there. Nothing is
// written to the database.
func (t *trialRun) compare(ctx context.Context, flags []string) (*replay.Report, error) {
	s, err := t.settings(ctx, flags...)
	if err != nil {
		return nil, err
	}
	s.API.ReadOnly = true
	log, err := os.OpenFile(t.file("serve.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	logger, flush := logging.New(log, s.Log)
	defer flush()
	m := site.NewMetrics()
	served, err := site.Open(ctx, s, logger, m)
	if err != nil {
		return nil, err
	}
	d := daemon.New(site.NewLive(served, logger, m), daemon.Config{Settings: s, Metrics: m, Logger: logger})
	defer d.Close()
	l, err := daemon.Listen(s.Listen)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	var serving errgroup.Group
	served.Parts.Store.Guard().GoErr(&serving, "serving the site", func() error { return d.Run(running, l) })
	comparing := newProgress(t.p, "comparing", "bytes")
	compared, err := replay.Compare(ctx, replay.Options{
		Target: "http://" + l.API.Addr().String(), Recordings: []string{t.file("recording.jsonl.gz")}, TargetNamespace: s.API.Namespace, Details: true, Progress: comparing.set,
	})
	comparing.finish()
	stop()
	return compared, errors.Join(err, serving.Wait())
}

// password matches the password in a database address.
var password = regexp.MustCompile(`:[^:@(/]*@`)

// otherHost returns the site's own address for a record of another one, "" where both are the same.
func otherHost(address, home string) string {
	if origin(address) == origin(home) {
		return ""
	}
	return origin(home)
}

// origin returns scheme and host of a URL, the URL itself if it has none.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Scheme + "://" + u.Host
}

// withoutOwn returns arguments without the flags that only trial has.
func withoutOwn(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if strings.HasPrefix(args[i], "-") && slices.Contains([]string{"url", "dir", "delay", "user", "site"}, name) {
			if !joined {
				i++
			}
			continue
		}
		rest = append(rest, args[i])
	}
	for i, arg := range rest { // a password must not be printed
		rest[i] = password.ReplaceAllString(arg, ":…@")
	}
	return rest
}

// commandLine returns a command as one types it.
func commandLine(args []string) string {
	line := "calbridge"
	for _, arg := range args {
		line += " " + replay.ShellQuote(arg)
	}
	return line
}
