package strictjson

import (
	"strings"
	"testing"
)

func TestUnmarshal(t *testing.T) {
	for _, c := range []struct {
		name, data, err string // err is a part of the error; "" means none
	}{
		{"a value", `{"name": "x"}`, ""},
		{"space around it", " {\"name\": \"x\"}\n\n", ""},
		{"an unknown member", `{"name": "x", "nme": "y"}`, `unknown field "nme"`},
		{"a second value", `{"name": "x"} {}`, "something follows"},
		{"text after it", `{"name": "x"} end`, "something follows"},
		{"a bracket after it", `{"name": "x"}]`, "something follows"},
		{"another type", `{"name": 1}`, "cannot unmarshal number"},
		{"half a value", `{"name": "x"`, "unexpected EOF"},
		{"nothing", "", "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v struct{ Name string }
			err := Unmarshal([]byte(c.data), &v)
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if err == nil && v.Name != "x" {
				t.Errorf("name %q", v.Name)
			}
		})
	}
}
