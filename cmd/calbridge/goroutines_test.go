package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unguarded lists the places that start goroutines without package guard: the file below
// calbridge/, how it starts them, and why a panic there may end the process or can't happen.
func unguarded() [][3]string {
	const closes, sealed, command = "interrupts a connection or a context, and does nothing else", "hands connections to net/http, which recovers", "a command's own goroutine, whose panic should end the command with its stack"
	return [][3]string{
		{"wpstore/guard/guard.go", "Go", "the guard itself"},
		{"wpstore/guard/guard.go", "DoChan", "the guard itself"},
		{"wpstore/sqlconn/transaction.go", "go", "calls Guard.Do, and nobody can wait for it: it may outlive the context"},

		{"wpstore/mysqlwire/conn.go", "AfterFunc", closes},
		{"wpstore/mysqlwire/tls.go", "AfterFunc", closes},
		{"wpstore/sqlconn/mysqlconn/conn.go", "AfterFunc", closes},
		{"wpstore/sqlconn/route.go", "AfterFunc", closes},
		{"rest/changes/stream/group.go", "AfterFunc", closes},
		{"rest/changes/stream/serve.go", "AfterFunc", closes},
		{"cmd/calbridge/app/app.go", "AfterFunc", closes},
		{"cmd/calbridge/mirror/remote.go", "AfterFunc", closes},
		{"compat/replay/wire.go", "AfterFunc", closes},

		{"cmd/calbridge/daemon/daemon.go", "go", sealed},
		{"cmd/calbridge/logging/buffer.go", "AfterFunc", "writes a buffer of bytes"},
		{"cmd/calbridge/sites/turns.go", "AfterFunc", "ends a turn: counts, and closes a channel that nobody else closes"},
		{"cmd/calbridge/app/serve.go", "Go", "draws a progress bar from two numbers"},

		{"cmd/calbridge/app/top.go", "go", command},
		{"cmd/calbridge/cmdline/terminal.go", "go", command},
		{"cmd/calbridge/mirror/mirror.go", "go", command},
		{"cmd/calbridge/sitecompare/compare.go", "Go", command},
		{"compat/record/ask.go", "Go", command},
		{"compat/replay/run.go", "go", command},
	}
}

// tools returns the folders of programs and helpers for tests and measurements.
func tools() []string {
	return []string{"cmd/bench/", "wpstore/mariadbd/", "wpstore/wptest/", ".ci/", "compat/compattest/"}
}

// TestGoroutinesAreGuarded checks that package guard starts all goroutines. A panic in any
// other goroutine ends the process.
func TestGoroutinesAreGuarded(t *testing.T) {
	const root = "../.."
	starts := map[[2]string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || slices.ContainsFunc(tools(), func(tool string) bool { return strings.HasPrefix(name, tool) }) {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, how := range goroutines(file) {
			starts[[2]string{name, how}]++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[[2]string]bool{}
	for _, row := range unguarded() {
		place := [2]string{row[0], row[1]}
		allowed[place] = true
		if starts[place] == 0 {
			t.Errorf("%s starts no goroutine by %s: delete its row in unguarded", row[0], row[1])
		}
	}
	for place, n := range starts {
		if !allowed[place] {
			t.Errorf("%s starts %d goroutines by %s: start them by guard.Go, GoErr, Loop or Flight", place[0], n, place[1])
		}
	}
}

// goroutines returns how the code of a file starts goroutines: "go" for the statement,
// otherwise the name of a method or function of sync, errgroup, singleflight, time or context.
// Methods of a guard also take the task and differ by their number of arguments.
func goroutines(file *ast.File) (how []string) {
	arguments := map[string]int{"Go": 1, "TryGo": 1, "DoChan": 2, "AfterFunc": 2}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			how = append(how, "go")
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if ok && arguments[f.Sel.Name] == len(n.Args) && len(n.Args) > 0 {
				how = append(how, f.Sel.Name)
			}
		}
		return true
	})
	return how
}

// TestGoroutinesAreFound checks that each way to start a goroutine is found, and that a
// guard's are not.
func TestGoroutinesAreFound(t *testing.T) {
	const code = `package p
func f() {
	go f()
	group.Go(f)
	group.TryGo(f)
	flights.DoChan("", f)
	time.AfterFunc(0, f)
	panics.Go(&group, "task", f)
	panics.GoErr(group, "task", f)
	panics.Flight(&flights, "", "task", f)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := goroutines(file), []string{"go", "Go", "TryGo", "DoChan", "AfterFunc"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
