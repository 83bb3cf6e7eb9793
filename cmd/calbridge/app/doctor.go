package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/doctor"
	"calbridge/cmd/calbridge/figures"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/wpstore/check"
)

// maxDoctor is the longest time between two readings.
const maxDoctor = time.Hour

// doctorCommand judges a running server by its ops listener, and by the files on disk.
func doctorCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	var asJSON bool
	var over time.Duration
	s, err := opsSettings(p, "doctor", args, func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "print the findings as JSON")
		fs.DurationVar(&over, "for", 5*time.Second, "read the metrics twice, this `TIME` apart: errors in between are failures, earlier ones warnings")
	}, "tls-cert", "tls-key")
	if err != nil {
		return err
	}
	if over < 0 || over > maxDoctor {
		return cmdline.Usagef("doctor: --for: %s is not a time up to %s", over, maxDoctor)
	}
	reading, err := readInstance(ctx, opsURL(s, ""), over)
	if err != nil {
		return fmt.Errorf("doctor: %w; is calbridge running, with --ops-listen %s?", err, s.Listen.Ops)
	}
	for _, name := range []string{s.ConfigFile, s.Listen.TLSCert, s.Listen.TLSKey} {
		if name == "" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("doctor: %w", err)
		}
		reading.Files = append(reading.Files, doctor.File{Name: name, Changed: info.ModTime()})
	}
	report := doctor.Report(reading)
	verdicts := map[check.Status]string{check.StatusOK: "it serves as it should", check.StatusWarn: "it serves, but look at the warnings", check.StatusFail: "it does not serve as it should"}
	if asJSON {
		err = sitecheck.WriteJSON(p.Stdout, report, nil)
	} else {
		sitecheck.WriteFindings(p.Stdout, report, p.PaintOn(p.Stdout), verdicts[report.Worst()])
	}
	return errors.Join(err, cmdline.Exit(map[check.Status]int{check.StatusWarn: cmdline.Warned, check.StatusFail: cmdline.Failed}[report.Worst()]))
}

// readInstance reads the metrics of an instance twice.
func readInstance(ctx context.Context, url string, over time.Duration) (*doctor.Reading, error) {
	r := &doctor.Reading{Program: buildinfo.This()}
	var err error
	if r.Before, err = readMetrics(ctx, url); err != nil {
		return nil, err
	}
	select {
	case <-time.After(over):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r.NotReady = readiness(ctx, url+"/readyz")
	r.After, err = readMetrics(ctx, url)
	return r, err
}

func readMetrics(ctx context.Context, url string) (*figures.Figures, error) {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	body, err := askOps(ctx, url+"/metrics")
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return figures.Parse(io.LimitReader(body, maxOps), time.Now())
}
