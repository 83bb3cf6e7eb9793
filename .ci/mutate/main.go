// Command mutate shows which rows of a package's tables are not covered by a test. It
// changes the string, number and boolean literals of the package's composite literals, and
// of the calls and strings that tables are made of, one at a time, and runs the package's
// tests. In a string with several words it changes each word, in one with several
// non-ASCII letters each letter. It prints the surviving mutants; the exit code is then 1.
//
// One test binary contains all mutants of variables and of constant strings; an environment
// variable selects one for each run. A mutant of another constant, or in a type of another
// package, needs its own build.
//
//	go run ./.ci/mutate [-file REGEXP] [-run REGEXP] [-all] [-every N] ./rest/phpdate
package main

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"regexp"
	"sync"
)

type mutant struct {
	path       string
	pos        token.Position
	start, end int
	from, to   string
	literal    literal
	survived   bool
	uncompiled bool
}

// literal is a literal to mutate. typ is empty if no call may replace it.
type literal struct {
	start, end int
	typ        string
	constant   int // where the word const stands that has to be var, else 0
}

func main() {
	files := flag.String("file", ".", "mutate files whose name matches")
	run := flag.String("run", ".", "tests to run")
	every := flag.Int("every", 1, "take every Nth literal only")
	all := flag.Bool("all", false, "literals of function bodies too, not of package-level tables alone")
	jobs := flag.Int("jobs", 2, "mutants at a time")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run ./.ci/mutate [flags] ./package")
		os.Exit(2)
	}
	mutants, err := find(flag.Arg(0), regexp.MustCompile(*files), *all, *every)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%d mutants\n", len(mutants))
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer os.RemoveAll(temp)
	binary, err := build(temp, flag.Arg(0), mutants)
	if err != nil {
		fmt.Println("each mutant is built by itself:", err)
	}
	work := make(chan int)
	var group sync.WaitGroup
	for range *jobs {
		group.Go(func() {
			for n := range work {
				if m := &mutants[n]; binary != "" && m.literal.typ != "" {
					m.selectIn(binary, flag.Arg(0), *run, n)
				} else {
					m.try(flag.Arg(0), *run)
				}
			}
		})
	}
	for i := range mutants {
		work <- i
	}
	close(work)
	group.Wait()
	survived, uncompiled := 0, 0
	for _, m := range mutants {
		if m.uncompiled {
			uncompiled++
		}
		if m.survived {
			survived++
			fmt.Printf("%s:%d:%d: %s -> %s\n", m.pos.Filename, m.pos.Line, m.pos.Column, m.from, m.to)
		}
	}
	fmt.Printf("%d mutants, %d survived, %d did not compile\n", len(mutants), survived, uncompiled)
	if survived > 0 {
		os.Exit(1)
	}
}
