// Command matrix runs tests on the database servers that WordPress runs on, and prints a
// table of them in Markdown:
//
//	go run ./.ci/matrix                  everything; hours
//	go run ./.ci/matrix -for 10m         with comparisons under changes of that length
//	go run ./.ci/matrix -rows 'MySQL'    rows whose names match; -columns likewise
//	go run ./.ci/matrix -smoke           what CI runs: a small set on each further engine
//
// .ci/engines downloads the servers. A server that is not available is reported as not run
// and does not fail the matrix; a test that fails or is skipped does. CALBRIDGE_ENGINES
// selects the further engines: none, all, or names of .ci/engines.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	m := matrix{programs: map[string]string{}}
	match := flag.String("rows", "", "run rows whose names match this `pattern`")
	parts := flag.String("columns", "", "run columns whose names match this `pattern`")
	flag.BoolVar(&m.smoke, "smoke", false, "run the smoke set on further engines")
	flag.StringVar(&m.lasts, "for", "3s", "compare answers under changes for this `time` in each mode")
	flag.IntVar(&m.jobs, "jobs", 1, "rows at the same time")
	flag.StringVar(&m.logs, "logs", "", "`folder` for the output of tests")
	flag.Parse()
	pattern, err := regexp.Compile(*match)
	if err != nil {
		log.Fatal(err)
	}
	if m.parts, err = regexp.Compile(*parts); err != nil {
		log.Fatal(err)
	}
	temp, err := os.MkdirTemp("", "calbridge-matrix-")
	if err != nil {
		log.Fatal(err)
	}
	m.temp, m.logs = temp, cmp.Or(m.logs, temp)
	failed := m.run(pattern)
	os.RemoveAll(temp)
	if failed {
		os.Exit(1)
	}
}

type matrix struct {
	smoke       bool
	parts       *regexp.Regexp // columns
	lasts, logs string
	jobs        int
	temp        string
	programs    map[string]string // available servers, by name of .ci/engines
}

// wanted reports whether CALBRIDGE_ENGINES selects an engine.
func wanted(download string) bool {
	selected := cmp.Or(os.Getenv("CALBRIDGE_ENGINES"), "all")
	return download == "" || selected == "all" || slices.Contains(strings.Fields(selected), download)
}

// run runs the rows and prints the table.
func (m *matrix) run(pattern *regexp.Regexp) (failed bool) {
	var chosen []engine
	for _, e := range rows() {
		further := e.download != "" && e.options == "" && e.login == ""
		if pattern.MatchString(e.name) && wanted(e.download) && (!m.smoke || further) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		log.Print("no engine is selected")
		return false
	}
	m.download(chosen)
	for _, e := range chosen {
		if err := m.build(e); err != nil {
			log.Print(err)
			return true
		}
	}
	table := make([]string, len(chosen))
	bad := make([]bool, len(chosen))
	var group sync.WaitGroup
	free := make(chan struct{}, m.jobs)
	for i, e := range chosen {
		group.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			table[i], bad[i] = m.row(e)
		})
	}
	group.Wait()
	head, line := "| |", "|---|"
	for _, c := range columns() {
		head, line = head+" "+c.name+" |", line+"---|"
	}
	fmt.Println(strings.Join(append([]string{head, line}, table...), "\n"))
	return slices.Contains(bad, true)
}

// download downloads the servers, one after the other.
func (m *matrix) download(chosen []engine) {
	for _, e := range chosen {
		if _, done := m.programs[e.download]; done || e.download == "" {
			continue
		}
		cmd := exec.Command(".ci/engines", e.download)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		_, path, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
		if err != nil {
			path = ""
		}
		m.programs[e.download] = path
	}
}

// build compiles the tests of each package that a row needs, once for each release of Go.
func (m *matrix) build(e engine) error {
	for _, c := range columns() {
		if !m.runs(e, c) {
			continue
		}
		for _, folder := range c.folders {
			if _, err := os.Stat(m.binary(e, folder)); err == nil {
				continue
			}
			cmd := exec.Command("go", "test", "-c", "-o", m.binary(e, folder), "./"+folder)
			if e.golang != "" {
				cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+e.golang)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", folder, err, out)
			}
		}
	}
	return nil
}

func (m *matrix) binary(e engine, folder string) string {
	return filepath.Join(m.temp, filepath.Base(folder)+e.golang+".test")
}

// runs reports whether a row has a column.
func (m *matrix) runs(e engine, c column) bool {
	return m.parts.MatchString(c.name) && (!c.ofGo || e.golang != "") && !(m.smoke && c.smoke == "-") && (len(e.columns) == 0 || slices.Contains(e.columns, c.name))
}

// row runs the columns on an engine.
func (m *matrix) row(e engine) (line string, failed bool) {
	line = "| " + e.name + " |"
	if e.download != "" && m.programs[e.download] == "" {
		log.Printf("not run: %s: it cannot be downloaded", e.name)
		return line + " not run: cannot be downloaded |", false
	}
	var env []string
	if e.galera {
		node, err := startGalera()
		if err != nil {
			log.Print(err)
			return line + " **failed**: the server doesn't start |", true
		}
		defer node.Stop()
		env = append(env, "CALBRIDGE_TEST_DSN="+node.DSN())
	}
	for _, c := range columns() {
		if !m.runs(e, c) {
			line += " |"
			continue
		}
		if why := e.without[c.name]; why != "" {
			line += " " + why + " |"
			continue
		}
		begin := time.Now()
		text, ok := m.cell(e, c, env)
		log.Printf("%s, %s: %s (%s)", e.name, c.name, text, time.Since(begin).Round(time.Second))
		line += " " + text + " |"
		failed = failed || !ok
	}
	return line, failed
}

// cell runs a column's tests on an engine and summarizes the results.
func (m *matrix) cell(e engine, c column, server []string) (text string, ok bool) {
	tests := cmp.Or(e.tests[c.name], c.tests)
	var env []string
	if m.smoke || e.brief {
		tests, env = cmp.Or(c.smoke, tests), c.brief
	}
	env = append(env, "CALBRIDGE_TEST_SERVER="+m.programs[e.download], "CALBRIDGE_TEST_OPTIONS="+e.options, "CALBRIDGE_TEST_LOGIN="+e.login,
		"CALBRIDGE_REQUIRE_MARIADB=1", "CALBRIDGE_REQUIRE_SHARED=1", "CALBRIDGE_COHERENCE_FOR="+m.lasts)
	env = append(env, server...)
	var said strings.Builder
	for _, folder := range c.folders {
		cmd := exec.Command(m.binary(e, folder), "-test.v", "-test.timeout=90m", "-test.run="+tests)
		if e.tests == nil && !c.ofGo { // rows with their own tests have long ones
			cmd.Args = append(cmd.Args, "-test.short")
		}
		cmd.Dir, cmd.Env = folder, append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		said.Write(out)
		if err != nil {
			fmt.Fprintf(&said, "--- FAIL: %s: %v\n", folder, err)
		}
	}
	name := regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(e.name+"-"+c.name, "-")
	if err := os.WriteFile(filepath.Join(m.logs, name+".log"), []byte(said.String()), 0o600); err != nil {
		log.Print(err)
	}
	text, ok = sumUp(said.String())
	if !ok {
		log.Printf("FAIL %s, %s:\n%s", e.name, c.name, excerpt(said.String()))
	}
	return text, ok
}
