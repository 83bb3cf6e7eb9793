package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	verdicts   = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+)`)
	reads      = regexp.MustCompile(`(\d+) same, (\d+) equal but for ties, (\d+) different`)
	writes     = regexp.MustCompile(`(\d+) cases, (\d+) differ`)
	coherences = regexp.MustCompile(`(strict|auto): (\d+) answers compared, (\d+) stale.* seen after (\S+) at the median, (\S+) at most`)
	// elsewhere matches the reasons of tests for another engine, and of opt-in tests.
	elsewhere = regexp.MustCompile(`MySQL has no |the server has no |\bset CALBRIDGE_[A-Z_]+=|@vlasky/zongji is not installed|takes minutes`)
	noise     = regexp.MustCompile(`^\s*(=== |--- PASS|PASS$)`)
)

// sumUp summarizes the results of tests in a few words.
func sumUp(output string) (text string, ok bool) {
	var passed int
	var failed, skipped []string
	for _, m := range verdicts.FindAllStringSubmatch(output, -1) {
		switch m[1] {
		case "PASS":
			passed++
		case "FAIL":
			failed = append(failed, m[2])
		case "SKIP":
			if !skippedElsewhere(output, m[2]) {
				skipped = append(skipped, m[2])
			}
		}
	}
	switch {
	case len(failed) > 0:
		return "**failed**: " + strings.Join(slices.Compact(failed), ", "), false
	case len(skipped) > 0:
		return "**skipped**: " + strings.Join(skipped, ", "), false
	case passed == 0:
		return "**no test ran**", false
	}
	var facts []string
	if n := sums(reads, output); n != nil {
		facts = append(facts, fmt.Sprintf("%d of %d equal, %d of them but for ties", n[0]+n[1], n[0]+n[1]+n[2], n[1]))
	}
	if n := sums(writes, output); n != nil {
		facts = append(facts, fmt.Sprintf("%d of %d equal", n[0]-n[1], n[0]))
	}
	for _, m := range coherences.FindAllStringSubmatch(output, -1) {
		fact := fmt.Sprintf("%s: %s of %s stale", m[1], m[3], m[2])
		if m[1] == "auto" {
			fact += fmt.Sprintf(", seen after %s (median), %s (at most)", m[4], m[5])
		}
		facts = append(facts, fact)
	}
	if len(facts) == 0 {
		facts = append(facts, fmt.Sprintf("%d tests", passed))
	}
	return strings.Join(facts, "; "), true
}

// skippedElsewhere reports whether a test was skipped because it is for another engine.
func skippedElsewhere(output, test string) bool {
	before, _, _ := strings.Cut(output, "--- SKIP: "+test)
	if at := strings.LastIndex(before, "=== RUN   "+test); at >= 0 {
		before = before[at:]
	}
	return elsewhere.MatchString(before)
}

// sums adds up the numbers of all matches.
func sums(pattern *regexp.Regexp, text string) (all []int) {
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if all == nil {
			all = make([]int, len(m)-1)
		}
		for i, number := range m[1:] {
			n, _ := strconv.Atoi(number)
			all[i] += n
		}
	}
	return all
}

// excerpt returns the end of the tests' output, without the tests that passed.
func excerpt(output string) string {
	const most = 60
	var lines []string
	for line := range strings.Lines(output) {
		if !noise.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "")
}
