//go:build ignore

// Command mutate shows which rows of a package's tables no test would miss: it changes
// each string, number and boolean literal of the package's composite literals, one at a
// time, and runs the package's tests. What survives is printed; the exit code is 1 then.
//
//	go run .ci/mutate.go [-file REGEXP] [-run REGEXP] [-keys] [-every N] ./rest/phpdate
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

type mutant struct {
	path       string
	pos        token.Position
	start, end int
	from, to   string
	survived   bool
	uncompiled bool
}

func main() {
	files := flag.String("file", ".", "mutate files whose name matches")
	run := flag.String("run", ".", "tests to run")
	every := flag.Int("every", 1, "take every Nth literal only")
	all := flag.Bool("all", false, "literals of function bodies too, not of package-level tables alone")
	jobs := flag.Int("jobs", 2, "mutants at a time")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go run .ci/mutate.go [flags] ./package")
		os.Exit(2)
	}
	mutants, err := find(flag.Arg(0), regexp.MustCompile(*files), *all, *every)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Printf("%d mutants\n", len(mutants))
	work := make(chan *mutant)
	var group sync.WaitGroup
	for range *jobs {
		group.Go(func() {
			for m := range work {
				m.try(flag.Arg(0), *run)
			}
		})
	}
	for i := range mutants {
		work <- &mutants[i]
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

func find(dir string, files *regexp.Regexp, all bool, every int) ([]mutant, error) {
	var mutants []mutant
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	n := 0
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || !files.MatchString(filepath.Base(path)) {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return nil, err
		}
		collect := func(root ast.Node) {
			ast.Inspect(root, func(node ast.Node) bool {
				composite, ok := node.(*ast.CompositeLit)
				if !ok {
					return true
				}
				for _, element := range composite.Elts {
					for _, value := range parts(element) {
						if to := other(value); to != "" {
							if n++; n%every != 0 {
								continue
							}
							pos := fset.Position(value.Pos())
							mutants = append(mutants, mutant{path: path, pos: pos, start: pos.Offset,
								end: fset.Position(value.End()).Offset, from: text(value), to: to})
						}
					}
				}
				return true
			})
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.CONST) || all {
				collect(decl)
			}
		}
	}
	return mutants, nil
}

// parts are the key and the value of an element, as far as they are literals.
func parts(e ast.Expr) []ast.Expr {
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		return []ast.Expr{pair.Key, pair.Value}
	}
	return []ast.Expr{e}
}

func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Value
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// other is another value for a literal, "" for what is none.
func other(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "true":
			return "false"
		case "false":
			return "true"
		}
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			s, err := strconv.Unquote(e.Value)
			if err != nil {
				return ""
			}
			return strconv.Quote(s + "q")
		case token.INT:
			return e.Value + "+1"
		case token.CHAR:
			return "1+" + e.Value
		}
	}
	return ""
}

func (m *mutant) try(dir, run string) {
	source, err := os.ReadFile(m.path)
	if err != nil {
		panic(err)
	}
	changed := append(append(append([]byte{}, source[:m.start]...), m.to...), source[m.end:]...)
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(temp)
	full, _ := filepath.Abs(m.path)
	replaced := filepath.Join(temp, filepath.Base(m.path))
	overlay, _ := json.Marshal(map[string]map[string]string{"Replace": {full: replaced}})
	_ = os.WriteFile(replaced, changed, 0o600)
	_ = os.WriteFile(filepath.Join(temp, "overlay.json"), overlay, 0o600)
	start := time.Now()
	out, err := exec.Command("go", "test", "-short", "-failfast", "-vet=off", "-timeout", "60s", "-run", run,
		"-overlay", filepath.Join(temp, "overlay.json"), "./"+filepath.Clean(dir)).CombinedOutput()
	m.survived = err == nil
	m.uncompiled = err != nil && bytes.Contains(out, []byte("[build failed]"))
	if time.Since(start) > time.Minute {
		fmt.Printf("%s: slow\n", m.pos)
	}
}
