//go:build ignore

// Command report reads `go test -json`. It prints a line for each package, the output of failed
// tests, and the slowest twenty tests, each with the sum of its parallel subtests. It fails if a test
// failed or was skipped. Only an opt-in test may be skipped; its reason names the variable to set, as
// in "set CALBRIDGE_LONG=1 to run it". With -short, as go test has it, any test may be skipped.
//
//	go test -json ./... | go run .ci/report.go
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
	ImportPath                    string
}

var (
	optIn = regexp.MustCompile(`\bset CALBRIDGE_[A-Z_]+=`)
	// noise matches lines of a test's output that don't explain a failure.
	noise = regexp.MustCompile(`^\s*(=== (RUN|PAUSE|CONT|NAME)|--- SKIP)`)
)

func main() {
	short := flag.Bool("short", false, "accept skipped tests")
	flag.Parse()
	output := map[string]*strings.Builder{}
	var failed, skipped []string
	parallel := map[string]bool{}  // subtests that wait for others
	beside := map[string]float64{} // seconds of a test's parallel subtests, which go test leaves out
	var timed []event              // tests that passed, without their subtests
	optIns, accepted := 0, 0
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			break
		}
		var e event
		if json.Unmarshal(line, &e) != nil {
			fmt.Print(string(line)) // output that is not JSON comes from the go command itself
			continue
		}
		name := e.Package + "." + e.Test
		if e.Test == "" {
			name = e.Package + e.ImportPath
		}
		switch e.Action {
		case "pause":
			parallel[name] = true
			continue
		case "output", "build-output":
			if output[name] == nil {
				output[name] = &strings.Builder{}
			}
			if !noise.MatchString(e.Output) {
				output[name].WriteString(e.Output)
			}
			continue
		case "fail", "build-fail":
			failed = append(failed, name)
			fmt.Printf("FAIL %s (%.1fs)\n%s", name, e.Elapsed, output[name])
		case "skip":
			if e.Test == "" {
				break // a package without tests
			}
			switch {
			case output[name] != nil && optIn.MatchString(output[name].String()):
				optIns++
			case *short:
				accepted++
			default:
				skipped = append(skipped, name)
				fmt.Printf("SKIP %s\n%s", name, output[name])
			}
		case "pass":
			if e.Test == "" {
				fmt.Printf("ok   %s (%.1fs)\n", name, e.Elapsed)
			} else if top, _, sub := strings.Cut(e.Test, "/"); !sub {
				e.Elapsed += beside[name]
				timed = append(timed, e)
			} else if parallel[name] {
				beside[e.Package+"."+top] += e.Elapsed
			}
		default:
			continue
		}
		delete(output, name)
	}
	slices.SortFunc(timed, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	fmt.Println("the slowest tests:")
	for _, e := range timed[:min(20, len(timed))] {
		fmt.Printf("%7.1fs %s.%s\n", e.Elapsed, e.Package, e.Test)
	}
	fmt.Printf("%d failed, %d skipped, %d opt-ins not run\n", len(failed), len(skipped)+accepted, optIns)
	if len(failed)+len(skipped) > 0 {
		fmt.Println(strings.Join(append(failed, skipped...), "\n"))
		os.Exit(1)
	}
}
