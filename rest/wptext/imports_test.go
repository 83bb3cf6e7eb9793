package wptext_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which packages of this module each package imports; "wptext" is
// the package of this folder. Whatever is not listed must not be imported.
var mayImport = map[string]string{
	"scan":       "",
	"escape":     "scan php",
	"markup":     "scan",
	"sanitize":   "escape scan php",
	"shortcode":  "markup scan php",
	"blockparse": "scan php phpjson",
	"typography": "escape markup shortcode scan php",
	"wptext":     "typography php",
	"paragraph":  "markup shortcode scan php",
	"kses":       "blockparse escape scan php",
	"images":     "wptext escape markup sanitize scan php",
	"embed":      "wptext escape markup shortcode scan php phpserial",
	"media":      "wptext images kses typography escape shortcode scan php",
	"blocks":     "wptext embed blockparse paragraph typography sanitize shortcode escape markup scan php phpserial phpjson",
	"content":    "wptext blocks media embed images kses paragraph typography blockparse shortcode sanitize markup escape scan php",
	"texttest":   "",
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		from := names[0][strings.LastIndexByte(names[0], '/')+1:]
		list, known := mayImport[from]
		if !known {
			t.Errorf("%s is not in the table of packages", names[0])
		}
		seen++
		for _, imported := range names[1:] {
			to := imported[strings.LastIndexByte(imported, '/')+1:]
			if strings.HasPrefix(imported, "calbridge/") && !slices.Contains(strings.Fields(list), to) {
				t.Errorf("%s must not import %s; see its doc.go", names[0], imported)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("go list found %d packages, the table has %d", seen, len(mayImport))
	}
}
