package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
)

// Ignored is an environment variable that is named like a setting but belongs to none.
type Ignored struct {
	Name   string
	Advice string
}

// elsewhere matches variables of this form that other programs use: constants of the companion
// plugin, which WordPress containers read from their environment; variables that Kubernetes
// sets for a service named calbridge; the password of commands that record a site; and those of
// calbridge's own tests.
var elsewhere = regexp.MustCompile(`^CALBRIDGE_(?:FIRE_ACTIONS|URL|SECRET|USER_PASSWORD|SERVICE_.+|PORT|PORT_.+|TEST_.+|REQUIRE_.+|SHARED|LONG)$`)

// ignored returns the variables of environ that look like settings but belong to none, in
// their order.
func (t table) ignored(environ []string) []Ignored {
	var names, near []string
	files := map[string]bool{}
	for _, s := range t {
		if s.current() || s.defined && s.secret {
			near = append(near, s.envName())
			if s.secret {
				near = append(near, s.envName()+"_FILE")
			}
		}
		names = append(names, s.envName())
		files[s.envName()+"_FILE"] = s.secret
		if s.secret {
			names = append(names, s.envName()+"_FILE")
		}
	}
	var list []Ignored
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if value == "" || !strings.HasPrefix(name, "CALBRIDGE_") || elsewhere.MatchString(name) || slices.Contains(names, name) {
			continue
		}
		advice := "Remove it: there is no such setting. `calbridge serve --help all` lists them all."
		if _, plain := files[name]; plain {
			advice = fmt.Sprintf("Set %s itself: only secrets can be in a file of their own.", strings.TrimSuffix(name, "_FILE"))
		} else if other := cmdline.Nearest(name, near); other != "" {
			advice = fmt.Sprintf("Did you mean %s?", other)
		}
		list = append(list, Ignored{name, advice})
	}
	slices.SortFunc(list, func(a, b Ignored) int { return strings.Compare(a.Name, b.Name) })
	return list
}
