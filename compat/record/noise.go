package record

import (
	"maps"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// maxNoise limits the number of noise rules for one body. Beyond it the whole body is
// noise.
const maxNoise = 200

// noiseBetween returns noise rules for the differences between the recorded answer and a
// second one to the same request.
func noiseBetween(x *recording.Exchange, second recording.Response) []string {
	var rules []string
	headers := maps.Clone(x.Response.Headers)
	maps.Copy(headers, second.Headers)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		if !recording.ConnectionHeader(name) && !slices.Equal(x.Response.Headers[name], second.Headers[name]) {
			rules = append(rules, "headers."+name)
		}
	}
	if x.Response.Body == second.Body {
		return rules
	}
	probe := *x
	probe.Noise = append(slices.Clone(rules), bodyNoise(x.Response.Body, second.Body)...)
	if left, err := (replay.Differ{Level: diff.LevelBytes}).Diff(&probe, x.Response, second, false); err != nil || len(left) > 0 {
		return append(rules, "body")
	}
	return probe.Noise
}

// bodyNoise returns the paths at which two bodies differ.
func bodyNoise(recorded, second string) []string {
	differences := diff.Bodies(recorded, second, &diff.Noise{}, diff.LevelBytes, maxNoise, nil)
	var rules []string
	for _, found := range differences {
		where := found.Where
		if found.Recorded == diff.Absent || found.Got == diff.Absent {
			where = parentPath(where)
		}
		rules = append(rules, where)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	if len(differences) >= maxNoise || slices.ContainsFunc(rules, func(rule string) bool { return rule == "$" || rule[0] != '$' }) {
		return []string{"body"}
	}
	// A rule covers everything below its path.
	return slices.DeleteFunc(rules, func(rule string) bool {
		return slices.ContainsFunc(rules, func(other string) bool {
			return other != rule && strings.HasPrefix(rule, other) && strings.IndexAny(rule[len(other):], ".[") == 0
		})
	})
}

func parentPath(where string) string {
	path, err := jsontree.ParsePath(where)
	if err != nil || len(path) == 0 {
		return "$"
	}
	return path[:len(path)-1].String()
}
