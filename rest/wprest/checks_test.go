package wprest

import (
	"testing"

	"calbridge/rest/phpjson"
)

func TestConvertType(t *testing.T) {
	const refused = "refused"
	for _, c := range []struct{ typ, in, want string }{
		{"string", `"x"`, `"x"`}, {"string", `""`, `""`}, {"string", `5`, refused}, {"string", `true`, refused}, {"string", `null`, refused}, {"string", `["x"]`, refused},
		{"integer", `5`, `5`}, {"integer", `"5"`, `5`}, {"integer", `"5.0"`, `5`}, {"integer", `5.0`, `5`}, {"integer", `"1e3"`, `1000`}, {"integer", `" 5"`, `5`},
		{"integer", `"5 "`, `5`}, {"integer", `"+5"`, `5`}, {"integer", `"-0"`, `0`}, {"integer", `"99999999999999999999"`, `9223372036854775807`},
		{"integer", `""`, refused}, {"integer", `"abc"`, refused}, {"integer", `"5.5"`, refused}, {"integer", `"0x1A"`, refused}, {"integer", `true`, refused},
		{"integer", `[1]`, refused}, {"integer", `null`, refused}, {"integer", `"5x"`, refused}, {"integer", `5.5`, refused},
		{"boolean", `true`, `true`}, {"boolean", `false`, `false`}, {"boolean", `"TRUE"`, `true`}, {"boolean", `"False"`, `false`}, {"boolean", `"0"`, `false`},
		{"boolean", `"1"`, `true`}, {"boolean", `0`, `false`}, {"boolean", `1`, `true`}, {"boolean", `1.0`, refused}, {"boolean", `2`, refused},
		{"boolean", `""`, refused}, {"boolean", `"yes"`, refused}, {"boolean", `"on"`, refused}, {"boolean", `null`, refused}, {"boolean", `[]`, refused},
	} {
		v, err := phpjson.Decode([]byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		got := refused
		if out, ok := convertType(c.typ, v); ok {
			got = string(phpjson.Append(nil, out))
		}
		if got != c.want {
			t.Errorf("%s as %s: %s, want %s", c.in, c.typ, got, c.want)
		}
	}
}
