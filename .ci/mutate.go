//go:build ignore

// Command mutate shows which rows of a package's tables no test would miss: it changes
// each string, number and boolean literal of the package's composite literals, and of the
// calls and strings that tables are made of, one at a time, and runs the package's tests.
// Of a string with several words it changes each word, of one with several letters beyond
// ASCII each letter. What survives is printed; the exit code is 1 then.
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
	"strings"
	"sync"
	"time"
	"unicode/utf8"
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
				for _, element := range elements(node) {
					for _, value := range parts(element) {
						for _, edit := range others(value) {
							if n++; n%every != 0 {
								continue
							}
							start := value.Pos() + token.Pos(edit.start)
							pos := fset.Position(start)
							mutants = append(mutants, mutant{path: path, pos: pos, start: pos.Offset,
								end: pos.Offset + len(edit.from), from: edit.from, to: edit.to})
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

// elements are the literals of a table: what a composite literal holds, what a call gets,
// the value of a variable or constant.
func elements(node ast.Node) []ast.Expr {
	switch node := node.(type) {
	case *ast.CompositeLit:
		return node.Elts
	case *ast.CallExpr:
		return node.Args
	case *ast.ValueSpec:
		return node.Values
	}
	return nil
}

// edit replaces from, at an offset of a literal, by to.
type edit struct {
	start    int
	from, to string
}

// others are the edits that make another value of a literal, none for what isn't one.
func others(e ast.Expr) []edit {
	switch e := e.(type) {
	case *ast.Ident:
		switch e.Name {
		case "true":
			return []edit{{0, e.Name, "false"}}
		case "false":
			return []edit{{0, e.Name, "true"}}
		}
	case *ast.BasicLit:
		switch e.Kind {
		case token.STRING:
			return otherStrings(e.Value)
		case token.INT:
			return []edit{{0, e.Value, e.Value + "+1"}}
		case token.CHAR:
			return []edit{{0, e.Value, "1+" + e.Value}}
		}
	}
	return nil
}

// otherStrings changes each word of a string as written, or each letter beyond ASCII.
func otherStrings(literal string) (edits []edit) {
	inner := literal[1 : len(literal)-1]
	if utf8.RuneCountInString(inner) > 1 && strings.IndexFunc(inner, func(r rune) bool { return r < utf8.RuneSelf }) < 0 {
		for i, r := range inner {
			edits = append(edits, edit{1 + i, string(r), "q"})
		}
		return edits
	}
	for _, word := range word.FindAllStringIndex(inner, -1) {
		from := inner[word[0]:word[1]]
		edits = append(edits, edit{1 + word[0], from, from + "q"})
	}
	if edits == nil {
		edits = []edit{{1, inner, inner + "q"}}
	}
	return edits
}

var word = regexp.MustCompile(`\S+`)

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
