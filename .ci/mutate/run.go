package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

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

// try builds and runs the tests with this mutant alone.
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
