package sitecheck

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/check"
)

// VisitorCode is code of the site that reads who asks: it may answer some visitors otherwise.
type VisitorCode struct {
	Name  string   // "plugins/members", "mu-plugins/a.php", "themes/b", or a file
	Hooks []string // that it is hooked on
	Reads []string // names of PHP's server variables, "*" for any
}

// UnknownCode is the name of code that the companion plugin doesn't tell of.
const UnknownCode = "(unknown)"

// VisitorCodeOf returns the code of a site that reads who asks and that the owner has not accepted,
// sorted by name.
func VisitorCodeOf(s *settings.Settings, d *sitefacts.Document) []VisitorCode {
	hooks, known := d.VisitorHooks()
	if !known {
		if s.Companion.URL == "" || s.Rollout.Proof.WithoutCompanion || isHarmless(s.Rollout.HarmlessCode, UnknownCode) {
			return nil
		}
		return []VisitorCode{{Name: UnknownCode}}
	}
	headers := rollout.NewOrdinaryHeaders(s.Rollout.Headers)
	var found []VisitorCode
	for _, h := range hooks {
		reads := slices.DeleteFunc(slices.Clone(h.Reads), func(variable string) bool { return !headers.TellsWho(variable) })
		if len(reads) == 0 || isHarmless(s.Rollout.HarmlessCode, h.Code) {
			continue
		}
		if len(found) == 0 || found[len(found)-1].Name != h.Code {
			found = append(found, VisitorCode{Name: h.Code})
		}
		last := &found[len(found)-1]
		last.Hooks, last.Reads = with(last.Hooks, h.Name), with(last.Reads, reads...)
	}
	return found
}

// with adds the texts that a list lacks.
func with(list []string, texts ...string) []string {
	for _, text := range texts {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// isHarmless reports whether the owner has named code, by patterns as of path.Match in which * stands
// for slashes too.
func isHarmless(patterns []string, code string) bool {
	flat := func(text string) string { return strings.ReplaceAll(text, "/", "\x00") }
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, err := path.Match(flat(pattern), flat(code))
		return ok && err == nil
	})
}

// visitorFindings names the code that reads who asks.
func visitorFindings(s *settings.Settings, d *sitefacts.Document) check.Report {
	const name = "site.visitor-code"
	auto := s.Rollout.Plan.Mode == rollout.Auto
	if s.Rollout.Plan.Mode == rollout.Proxy || s.Rollout.Plan.Mode == rollout.DiffProxy {
		return nil
	}
	var report check.Report
	for _, code := range VisitorCodeOf(s, d) {
		switch {
		case code.Name != UnknownCode:
			reads := strings.Join(code.Reads, ", ")
			if slices.Contains(code.Reads, "*") {
				reads = "everything that a visitor sends (or its code can't be read)"
			}
			report = append(report, Warning(name, fmt.Sprintf("%s (hooked on %s) reads %s: it may answer some visitors differently from others", code.Name, sitefacts.Few(code.Hooks), reads),
				fmt.Sprintf("calbridge doesn't run it, and because of it --mode auto answers nothing natively. If it neither hides nor changes events depending on what it reads, set --harmless-code %s.", code.Name)))
		case auto:
			report = append(report, Warning(name, "the companion plugin doesn't report whether code of the site may answer some visitors differently: --mode auto answers nothing natively",
				"Copy all three calbridge-companion*.php files of this calbridge release to wp-content/mu-plugins."))
		}
	}
	return report
}
