package compat

import (
	"calbridge/compat/excerpt"
	"calbridge/compat/recording"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// sameValidator says whether a header is an entity tag on both sides. What it says is
// its server's own business, and differs for each encoding of the body; the bodies
// are compared themselves.
func sameValidator(name string, recorded, got recording.HeaderValues) bool {
	return name == "etag" && len(recorded) == 1 && len(got) == 1
}

const absent = "(absent)"

// differ compares answers at a level, under rules; rules may be nil.
type differ struct {
	level Level
	rules *ruleSet
}

// diff compares an answer with the recorded one, both already under the same
// namespace. Only the status counts when statusOnly is set; of an HTML page
// status and content type count.
func (d differ) diff(x *recording.Exchange, recorded recording.Response, got recording.Response, statusOnly bool) ([]Difference, error) {
	noise, err := compileNoise(x.Noise)
	if err != nil {
		return nil, err
	}
	rules := d.rules.forExchange(x)
	var diffs []Difference
	if recorded.Status != got.Status && !rules.ignoresStatus() {
		diffs = append(diffs, Difference{Part: PartStatus, Level: LevelStatus, Recorded: statusText(recorded.Status), Got: statusText(got.Status)})
	}
	if statusOnly || d.level == LevelStatus {
		return diffs, nil
	}
	recorded, got = rules.replace(recorded, got)
	page := strings.HasPrefix(recorded.Header("content-type"), "text/html")
	diffs = append(diffs, diffHeaders(recorded.Headers, got.Headers, noise, rules, page)...)
	if d.level == LevelHeaders || page || noise.ignoresBody() || strings.EqualFold(x.Request.Method, http.MethodHead) || recorded.Body == got.Body {
		return diffs, nil
	}
	return append(diffs, diffBody(recorded.Body, got.Body, noise, d.level, rules.reconcile)...), nil
}

// noAnswer is what differs when no answer came, or none that can be read.
func noAnswer(recorded recording.Response, err error) []Difference {
	return []Difference{{Part: PartAnswer, Level: LevelStatus, Recorded: statusText(recorded.Status), Got: err.Error()}}
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprint(status)
}

func diffHeaders(recorded, got map[string]recording.HeaderValues, noise *noise, rules *activeRules, page bool) []Difference {
	names := slices.AppendSeq(slices.Collect(maps.Keys(recorded)), maps.Keys(got))
	slices.Sort(names)
	var diffs []Difference
	for _, name := range slices.Compact(names) {
		if recording.ConnectionHeader(name) || noise.ignoresHeader(name) || (page && name != "content-type") {
			continue
		}
		if want, have := recorded[name], got[name]; !slices.Equal(want, have) && !sameValidator(name, want, have) && !rules.ignoresHeader(name) && !rules.sameHeader(want, have) {
			diffs = append(diffs, Difference{Part: PartHeaders, Level: LevelHeaders, Where: name, Recorded: headerText(want), Got: headerText(have)})
		}
	}
	return diffs
}

func headerText(values recording.HeaderValues) string {
	if len(values) == 0 {
		return absent
	}
	quoted := make([]string, len(values))
	for i, value := range values {
		quoted[i] = fmt.Sprintf("%q", excerpt.Head(value, 200))
	}
	return strings.Join(quoted, " and ")
}
