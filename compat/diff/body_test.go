package diff

import (
	"encoding/json"
	"strings"
	"testing"

	"calbridge/compat/jsontree"
)

func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e+3,"x\n",null,true]}`, `[[[]]]`, `"\ud83d\ude00"`, " 1 ", `{"":{}}`, "[1,", "\"\xff\""} {
		f.Add(seed)
	}
	rules, err := CompileNoise([]string{"$.a", "$[0].id", "$.json_ld.email"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := jsontree.Parse(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			if !valid || !strings.Contains(err.Error(), "too deeply") {
				t.Fatalf("encoding/json says %v, we say %v", valid, err)
			}
		}
		if err != nil {
			return
		}
		if canonical := rules.canonical(root, nil); len(Bodies(text, text, rules, LevelBytes, MaxDifferences, nil)) > 0 && canonical != "" {
			t.Errorf("differs from itself")
		}
		Bodies(text, `{"a":1}`, rules, LevelBytes, MaxDifferences, nil)
		Bodies(`[{"id":1},[2]]`, text, rules, LevelBytes, MaxDifferences, nil)
	})
}
