package compat

import (
	"calbridge/compat/excerpt"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Part names the part of an answer that a difference is in.
type Part string

// The parts of an answer, in the order in which they are compared.
const (
	PartAnswer  Part = "answer" // none came, or none that could be read
	PartStatus  Part = "status"
	PartHeaders Part = "headers"
	PartBody    Part = "body"
	// PartKnown is a known difference that was not there.
	PartKnown Part = "known difference"
)

// Difference is one thing that differs between the recorded and the given answer.
type Difference struct {
	Part Part
	// Level is the coarsest level at which the difference is seen.
	Level Level
	// Where is the header's name, the JSON path or the byte offset in the body.
	Where string
	// Recorded and Got are the two values, shortened to the place that differs.
	Recorded, Got string
	// Known is the number of the known difference that this is, or 0.
	Known int
}

func (d Difference) String() string {
	where := string(d.Part)
	if d.Where != "" {
		where += " " + d.Where
	}
	text := fmt.Sprintf("%s: recorded %s, got %s", where, d.Recorded, d.Got)
	if d.Known > 0 {
		text += fmt.Sprintf(" (known difference %d)", d.Known)
	}
	return text
}

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
	if d.level == LevelHeaders || page || noise.body || strings.EqualFold(x.Request.Method, http.MethodHead) || recorded.Body == got.Body {
		return diffs, nil
	}
	return append(diffs, diffBody(recorded.Body, got.Body, noise, rules, d.level)...), nil
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
		if recording.ConnectionHeader(name) || noise.headers[name] || (page && name != "content-type") {
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

// diffBody finds what differs in two bodies that are not the same bytes. Bodies
// that are both JSON (or JSONP of the same function) are compared by their parts.
func diffBody(recorded, got string, noise *noise, rules *activeRules, level Level) []Difference {
	beforeWant, jsonWant, afterWant := jsontree.UnwrapJSONP(recorded)
	beforeGot, jsonGot, afterGot := jsontree.UnwrapJSONP(got)
	want, errWant := jsontree.Parse(jsonWant)
	have, errGot := jsontree.Parse(jsonGot)
	if errWant != nil || errGot != nil || beforeWant != beforeGot || afterWant != afterGot {
		return byteDifference(recorded, got, textLevel((errWant == nil) != (errGot == nil)), level)
	}
	want, have = rules.reconcile(want, have)
	canonWant, canonGot := noise.canonical(want, nil), noise.canonical(have, nil)
	beforeRoot, afterRoot := want.Around()
	beforeHave, afterHave := have.Around()
	if canonWant == canonGot && beforeRoot == beforeHave && afterRoot == afterHave {
		return nil
	}
	d := jsonDiff{rules: noise, level: level}
	d.compare(want, have, nil)
	if d.seen == 0 {
		// Only white space or the spelling of equal values differs.
		return byteDifference(recorded, got, LevelBytes, level)
	}
	return d.found
}

// byteDifference shows the first byte at which two texts differ, with what is
// around it.
func byteDifference(recorded, got string, of, level Level) []Difference {
	if !level.sees(of) {
		return nil
	}
	at := excerpt.CommonPrefix(recorded, got)
	return []Difference{{Part: PartBody, Level: of, Where: fmt.Sprintf("byte %d", at), Recorded: excerpt.Around(recorded, at), Got: excerpt.Around(got, at)}}
}
