//go:build ignore

// Command mutate shows which rows of a package's tables no test would miss: it changes
// each string, number and boolean literal of the package's composite literals, and of the
// calls and strings that tables are made of, one at a time, and runs the package's tests.
// Of a string with several words it changes each word, of one with several letters beyond
// ASCII each letter. What survives is printed; the exit code is 1 then.
//
// One test binary has all mutants of variables and of constant strings; an environment
// variable selects the one that a run sees. A mutant of another constant, or in a type of
// another package, needs a build of its own.
//
//	go run .ci/mutate.go [-file REGEXP] [-run REGEXP] [-all] [-every N] ./rest/phpdate
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	literal    literal
	survived   bool
	uncompiled bool
}

// literal is what a mutant is part of. typ is empty when no call may stand in its place.
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
		fmt.Fprintln(os.Stderr, "usage: go run .ci/mutate.go [flags] ./package")
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

func find(dir string, files *regexp.Regexp, all bool, every int) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, path := range paths {
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	// A literal whose type stays unknown is built by itself, so errors don't matter.
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	checker := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	pkg, _ := checker.Check(dir, fset, parsed, info)

	var mutants []mutant
	n := 0
	collect := func(path string, root ast.Node) {
		seen := map[ast.Expr]bool{}
		ast.Inspect(root, func(node ast.Node) bool {
			for _, element := range elements(node) {
				for _, operand := range operands(element) {
					value := operand.literal
					if seen[value] {
						continue
					}
					seen[value] = true
					whole := literal{start: fset.Position(value.Pos()).Offset, end: fset.Position(value.End()).Offset}
					decl, ok := root.(*ast.GenDecl)
					if constant := ok && decl.Tok == token.CONST; !constant || stringsOnly(decl, info) {
						whole.typ = typeName(info.TypeOf(operand.of), pkg)
						if constant {
							whole.constant = fset.Position(decl.Pos()).Offset
						}
					}
					for _, edit := range others(value) {
						if n++; n%every != 0 {
							continue
						}
						pos := fset.Position(value.Pos() + token.Pos(edit.start))
						mutants = append(mutants, mutant{path: path, pos: pos, start: pos.Offset,
							end: pos.Offset + len(edit.from), from: edit.from, to: edit.to, literal: whole})
					}
				}
			}
			return true
		})
	}
	for i, file := range parsed {
		if !files.MatchString(filepath.Base(paths[i])) {
			continue
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && (g.Tok == token.VAR || g.Tok == token.CONST) || all {
				collect(paths[i], decl)
			}
		}
	}
	return mutants, nil
}

// stringsOnly says whether all constants of a declaration are strings.
func stringsOnly(decl *ast.GenDecl, info *types.Info) bool {
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		if spec.Type != nil || len(spec.Values) == 0 {
			return false
		}
		for _, value := range spec.Values {
			if t := info.TypeOf(value); t == nil || types.Default(t) != types.Typ[types.String] {
				return false
			}
		}
	}
	return true
}

// typeName is the type as the package writes it, "" for one that it has to import.
func typeName(t types.Type, pkg *types.Package) string {
	if t == nil || t == types.Typ[types.Invalid] {
		return ""
	}
	name := types.TypeString(types.Default(t), types.RelativeTo(pkg))
	if strings.ContainsAny(name, "./") {
		return ""
	}
	return name
}

// build compiles the package's tests with a call in place of each literal of a known type,
// which returns the literal or the mutant that the environment selects.
func build(temp, dir string, mutants []mutant) (binary string, err error) {
	type call struct {
		literal
		first  int
		values []string
	}
	sources := map[string][]byte{}
	calls := map[string][]call{}
	for n, m := range mutants {
		if m.literal.typ == "" {
			continue
		}
		if sources[m.path] == nil {
			if sources[m.path], err = os.ReadFile(m.path); err != nil {
				return "", err
			}
		}
		source := sources[m.path]
		list := calls[m.path]
		if len(list) == 0 || list[len(list)-1].start != m.literal.start {
			list = append(list, call{m.literal, n, []string{string(source[m.literal.start:m.literal.end])}})
		}
		last := &list[len(list)-1]
		last.values = append(last.values, string(source[m.literal.start:m.start])+m.to+string(source[m.end:m.literal.end]))
		calls[m.path] = list
	}
	replace := map[string]string{}
	put := func(path string, content []byte) error {
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		replace[full] = filepath.Join(temp, filepath.Base(path))
		return os.WriteFile(replace[full], content, 0o600)
	}
	var name string
	for path, list := range calls {
		source := sources[path]
		slices.SortFunc(list, func(a, b call) int { return b.start - a.start })
		for i, c := range list {
			text := fmt.Sprintf("mutated[%s](%d, %s)", c.typ, c.first, strings.Join(c.values, ", "))
			source = slices.Concat(source[:c.start], []byte(text), source[c.end:])
			if c.constant > 0 && (i == len(list)-1 || list[i+1].constant != c.constant) {
				source = slices.Concat(source[:c.constant], []byte("var"), source[c.constant+len("const"):])
			}
		}
		if err := put(path, source); err != nil {
			return "", err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		name = file.Name.Name
	}
	if name == "" {
		return "", nil
	}
	if err := put(filepath.Join(dir, "mutated.go"), []byte("package "+name+mutatedSource)); err != nil {
		return "", err
	}
	overlay, _ := json.Marshal(map[string]any{"Replace": replace})
	if err := os.WriteFile(filepath.Join(temp, "overlay.json"), overlay, 0o600); err != nil {
		return "", err
	}
	binary = filepath.Join(temp, "mutants.test")
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-o", binary, "-overlay", filepath.Join(temp, "overlay.json"),
		"./"+filepath.Clean(dir)).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return binary, nil
}

const mutatedSource = `

import (
	"os"
	"strconv"
)

var selectedMutant, _ = strconv.Atoi(os.Getenv("MUTANT"))

func mutated[T any](first int, original T, others ...T) T {
	if n := selectedMutant - 1 - first; n >= 0 && n < len(others) {
		return others[n]
	}
	return original
}
`

// selectIn runs the binary of all mutants with this one, number n, selected.
func (m *mutant) selectIn(binary, dir, run string, n int) {
	start := time.Now()
	test := exec.Command(binary, "-test.short", "-test.failfast", "-test.timeout", "60s", "-test.run", run)
	test.Dir = dir
	test.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(n+1))
	m.survived = test.Run() == nil
	m.sayIfSlow(start)
}

func (m *mutant) sayIfSlow(start time.Time) {
	if time.Since(start) > time.Minute {
		fmt.Printf("%s: slow\n", m.pos)
	}
}

// operand is a literal and the negation or sum that it is part of, if any, which has its
// type.
type operand struct{ literal, of ast.Expr }

// operands are the literals of an element, of its key and its value.
func operands(e ast.Expr) []operand {
	var of func(whole, e ast.Expr) []operand
	of = func(whole, e ast.Expr) []operand {
		switch e := e.(type) {
		case *ast.UnaryExpr:
			return of(whole, e.X)
		case *ast.BinaryExpr:
			if e.Op == token.ADD {
				return append(of(whole, e.X), of(whole, e.Y)...)
			}
		case *ast.BasicLit, *ast.Ident:
			return []operand{{e, whole}}
		}
		return nil
	}
	if pair, ok := e.(*ast.KeyValueExpr); ok {
		return append(of(pair.Key, pair.Key), of(pair.Value, pair.Value)...)
	}
	return of(e, e)
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
		edits = append(edits, edit{1 + word[0], from, from + another(from)})
	}
	if edits == nil {
		edits = []edit{{1, inner, inner + another(inner)}}
	}
	return edits
}

var word = regexp.MustCompile(`\S+`)

// another is a letter that s hasn't, so that a set of letters changes too.
func another(s string) string {
	if strings.Contains(s, "q") {
		return "!"
	}
	return "q"
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
	m.sayIfSlow(start)
}
