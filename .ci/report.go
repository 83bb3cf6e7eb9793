//go:build ignore

// Command report reads `go test -json`. It prints a line for each package, the output of failed
// tests, and the slowest twenty tests. It fails if a test failed or was skipped. Only an opt-in test
// may be skipped; its reason names the variable to set, as in "set CALBRIDGE_LONG=1 to run it".
// With -short, as go test has it, any test may be skipped.
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
	"time"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
	ImportPath                    string
	Time                          time.Time
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
	began := map[string]time.Time{} // when a test began, or went on after other parallel tests
	var timed []event               // tests that passed, without their subtests
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
		case "run", "cont":
			began[name] = e.Time
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
			} else if !strings.Contains(e.Test, "/") {
				e.Elapsed = e.Time.Sub(began[name]).Seconds() // go test leaves out parallel subtests
				timed = append(timed, e)
			}
		default:
			continue
		}
		delete(output, name)
		delete(began, name)
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
