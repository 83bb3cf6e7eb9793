package openapi

import (
	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// Schemas are ordered JSON objects. Each function returns a new one, which its caller may extend.

func typed(types ...string) *php.Array {
	if len(types) == 1 {
		return api.Object("type", types[0])
	}
	return api.Object("type", php.Strings(types...))
}

func text() *php.Array    { return typed("string") }
func integer() *php.Array { return typed("integer") }
func boolean() *php.Array { return typed("boolean") }

// orNull adds null to the types of a schema.
func orNull(s *php.Array) *php.Array { return typed(php.ToString(s.At("type")), "null") }

// uri returns the schema of an address that WordPress makes. Those that users enter are [text].
func uri() *php.Array { return api.Object("type", "string", "format", "uri") }

// dateTime returns the schema of a date as MySQL stores it.
func dateTime() *php.Array {
	return api.Object("type", "string", "pattern", `^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)
}

func ref(name string) *php.Array { return api.Object("$ref", "#/components/schemas/"+name) }

func listOf(items *php.Array) *php.Array { return api.Object("type", "array", "items", items) }

func anyOf(alternatives ...php.Value) *php.Array {
	return api.Object("anyOf", php.List(alternatives...))
}

func only(value php.Value) *php.Array { return api.Object("const", value) }

func oneOf(values ...string) *php.Array {
	return api.Object("type", "string", "enum", php.Strings(values...))
}

// nothing returns the empty array, which PHP writes in place of an empty object too.
func nothing() *php.Array { return api.Object("type", "array", "maxItems", int64(0)) }

// mapOf returns the schema of an object with any names.
func mapOf(values *php.Array) *php.Array {
	return api.Object("type", "object", "additionalProperties", values)
}

// anything returns the schema that accepts every value.
func anything() *php.Array {
	return api.Object("type", php.Strings("string", "number", "boolean", "array", "object", "null"))
}
