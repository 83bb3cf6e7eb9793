package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// build compiles the package's tests with a call in place of each literal of a known type.
// The call returns the literal, or the mutant that the environment selects.
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
