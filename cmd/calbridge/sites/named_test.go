package sites

import (
	"fmt"
	"strings"
	"testing"
)

// TestNamed checks by which names a site is found, and that the error lists those that exist.
func TestNamed(t *testing.T) {
	all := []*Site{
		{Name: "1", Address: "sit.example/"}, {Name: "2", Address: "sit.example/divadlo/"}, {Name: "7", Address: "koncerty.example/"},
		{Name: "8", Address: "koncerty.example/divadlo/"}, {Name: "9", Address: "sit.example/škola/"},
	}
	for name, want := range map[string]string{
		"2": "2", "sit.example": "1", "https://sit.example/": "1", "https://Koncerty.example": "7", "sit.example/divadlo": "2", "/škola/": "9", "škola": "9",
		"":  "--site is missing: it names one of several sites; they are 1 (sit.example/), 2 (sit.example/divadlo/), 7 (koncerty",
		"3": `no site has the name, host or path "3"; the sites are 1 (sit.example/), 2 (`, "/divadlo/": `"/divadlo/" names several sites; use a number, a name or an address: they are 2 (sit.example/divadlo/), 8 (koncerty.example/divadlo/)`,
		"/": "names several sites", "divadlo/x": "no site has",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Named(all, name)
			switch {
			case err == nil && got.Name != want:
				t.Errorf("%s, want %s", got.Name, want)
			case err != nil && !strings.Contains(err.Error(), want):
				t.Errorf("%v, want %s", err, want)
			}
		})
	}
	var many []*Site
	for i := range 300 {
		many = append(many, &Site{Name: fmt.Sprint(i + 1), Address: fmt.Sprintf("sit.example/s%d/", i)})
	}
	if _, err := Named(many, "none"); err == nil || !strings.Contains(err.Error(), "12 (sit.example/s11/) and 288 more") {
		t.Errorf("%v", err)
	}
}
