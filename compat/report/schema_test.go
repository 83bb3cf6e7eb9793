package report

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// validateReport checks a JSON report against its published schema.
func validateReport(t *testing.T, data []byte) []string {
	t.Helper()
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return []string{err.Error()}
	}
	v := schemaValidator{root: schema}
	v.check(schema, value, "$")
	return v.faults
}

// schemaValidator implements the part of JSON Schema that the report's schema uses and
// rejects any other.
type schemaValidator struct {
	root   map[string]any
	faults []string
}

func (v *schemaValidator) fault(at, format string, args ...any) {
	v.faults = append(v.faults, at+": "+fmt.Sprintf(format, args...))
}

func (v *schemaValidator) check(schema map[string]any, value any, at string) {
	for keyword, rule := range schema {
		switch keyword {
		case "$schema", "$id", "$defs", "title", "description":
		case "$ref":
			name := strings.TrimPrefix(rule.(string), "#/$defs/")
			v.check(v.root["$defs"].(map[string]any)[name].(map[string]any), value, at)
		case "type":
			v.checkType(rule.(string), value, at)
		case "enum":
			if !slices.Contains(rule.([]any), value) {
				v.fault(at, "%v is none of %v", value, rule)
			}
		case "const":
			if rule != value {
				v.fault(at, "%v is not %v", value, rule)
			}
		case "minimum":
			if n, ok := value.(float64); ok && n < rule.(float64) {
				v.fault(at, "%v is below %v", n, rule)
			}
		case "format":
			if _, err := time.Parse(time.RFC3339, fmt.Sprint(value)); rule != "date-time" || err != nil {
				v.fault(at, "%v is no %v", value, rule)
			}
		case "items":
			if list, ok := value.([]any); ok {
				for i, item := range list {
					v.check(rule.(map[string]any), item, fmt.Sprintf("%s[%d]", at, i))
				}
			}
		case "required":
			if object, ok := value.(map[string]any); ok {
				for _, name := range rule.([]any) {
					if _, found := object[name.(string)]; !found {
						v.fault(at, "%v is missing", name)
					}
				}
			}
		case "properties", "additionalProperties":
		default:
			v.fault(at, "unknown keyword %s", keyword)
		}
	}
	if object, ok := value.(map[string]any); ok {
		v.checkMembers(schema, object, at)
	}
}

func (v *schemaValidator) checkMembers(schema, object map[string]any, at string) {
	properties, _ := schema["properties"].(map[string]any)
	for name, member := range object {
		if rule, found := properties[name]; found {
			v.check(rule.(map[string]any), member, at+"."+name)
			continue
		}
		switch rule := schema["additionalProperties"].(type) {
		case bool:
			v.fault(at, "%s is not in the schema", name)
		case map[string]any:
			v.check(rule, member, at+"."+name)
		}
	}
}

func (v *schemaValidator) checkType(name string, value any, at string) {
	ok := false
	switch x := value.(type) {
	case string:
		ok = name == "string"
	case bool:
		ok = name == "boolean"
	case float64:
		ok = name == "number" || (name == "integer" && x == float64(int64(x)))
	case []any:
		ok = name == "array"
	case map[string]any:
		ok = name == "object"
	}
	if !ok {
		v.fault(at, "%v is no %s", value, name)
	}
}

func TestSchemaValidatorFindsFaults(t *testing.T) {
	for _, bad := range []string{`{}`, `[]`, `{"format":"x"}`, `{"format":"calbridge-report/1","totals":{"same":-1},"cases":[{"id":5}],"more":1}`} {
		if len(validateReport(t, []byte(bad))) == 0 {
			t.Errorf("%s passes", bad)
		}
	}
}
