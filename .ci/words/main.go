// Command words fails on phrases that readers stumbled over, in comments, messages and
// documents. CONTRIBUTING.md explains what to write instead.
//
//	go run ./.ci/words          # every tracked file
//	go run ./.ci/words FILE…
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// A phrase is a pattern that must not occur, and what to write instead.
type phrase struct {
	pattern *regexp.Regexp
	instead string
}

// thereIs matches a phrase that reads well, although a banned one is part of it.
var thereIs = regexp.MustCompile(`(?i)\bthere (is|are) no\b`)

// phrases returns the banned phrases of comments, messages and documents.
func phrases() []phrase {
	list := []struct{ pattern, instead string }{
		{`\bsays (whether|if)\b`, "reports whether"},
		{`\bsays (what|how|which|why|who|where|when)\b`, "describes, names or explains"},
		{`\btells (whether|if|what|how|which|who)\b`, "reports or describes"},
		{`(?i)\bwhoever\b`, "the client, the user, anyone who"},
		{`\banew\b`, "again, or start over"},
		{`\bIn comes? .*\bout (go|goes|come|comes)\b`, "It turns A into B"},
		{`\bIn (come|comes|go|goes) `, "It turns A into B"},
		{`\b(is|are) no (number|time|size|address|version|list|name|file|id|date|text|word|valid|URL|path|level|mode|event|post|term|user|option|duration|integer|port|host|key|value|JSON|UTF-8)\b`, "is not a"},
		{`\bspec/[a-z-]+\.md\b`, "the fact itself: a reader cannot follow a path outside the repository"},
	}
	all := make([]phrase, len(list))
	for i, p := range list {
		all[i] = phrase{regexp.MustCompile(p.pattern), p.instead}
	}
	return all
}

func main() {
	files := os.Args[1:]
	if len(files) == 0 {
		out, err := exec.Command("git", "ls-files", "*.go", "*.md", "*.yml", "*.php", "*.conf", "*.service").Output()
		if err != nil {
			fmt.Fprintln(os.Stderr, "words: git ls-files:", err)
			os.Exit(2)
		}
		files = strings.Fields(string(out))
	}
	found := 0
	report := func(file string, line int, text, instead string) {
		found++
		fmt.Printf("%s:%d: %s\n\twrite: %s\n", file, line, strings.TrimSpace(text), instead)
	}
	banned := phrases()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, "words:", err)
			os.Exit(2)
		}
		if strings.HasPrefix(file, ".ci/words/") {
			continue // it names the phrases
		}
		if strings.HasSuffix(file, ".go") {
			if err := goFile(file, text, banned, report); err != nil {
				fmt.Fprintln(os.Stderr, "words:", err)
				os.Exit(2)
			}
			continue
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			check(file, n, lines.Text(), banned, report)
		}
	}
	if found > 0 {
		fmt.Printf("%d phrases to reword\n", found)
		os.Exit(1)
	}
}

// check reports the first banned phrase of a line.
func check(file string, line int, text string, banned []phrase, report func(string, int, string, string)) {
	for _, p := range banned {
		if p.pattern.MatchString(thereIs.ReplaceAllString(text, "")) {
			report(file, line, text, p.instead)
			return
		}
	}
}

// goFile checks the comments and string literals of a Go file, and that the comment of a
// function begins with what the function does.
func goFile(name string, text []byte, banned []phrase, report func(string, int, string, string)) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			first := files.Position(comment.Pos()).Line
			for i, line := range strings.Split(comment.Text, "\n") {
				check(name, first+i, line, banned, report)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			check(name, files.Position(literal.Pos()).Line, literal.Value, banned, report)
		}
		return true
	})
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Doc == nil {
			continue
		}
		for _, verb := range []string{" is ", " are ", " has "} {
			if strings.HasPrefix(function.Doc.Text(), function.Name.Name+verb) {
				line, _, _ := strings.Cut(function.Doc.Text(), "\n")
				report(name, files.Position(function.Doc.Pos()).Line, line, function.Name.Name+" returns …, reports whether …, or a verb")
			}
		}
	}
	return nil
}
