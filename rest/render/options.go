package render

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// Options are the parameters that change how terms are shown.
type Options struct {
	Parent  bool // link to the parent
	EmbedUp bool // embed the parent
}

// OptionsOf reads the parameters _fields and _embed. If _fields leaves the parent out, so
// does WordPress's controller, and TEC has nothing to link to.
func OptionsOf(p *api.Params) Options {
	filter := p.Get("_fields")
	return Options{Parent: php.Empty(filter) || api.ParseFields(filter).Has("parent"), EmbedUp: embeds(p.Query, "up")}
}

// embeds reports whether _embed names a relation. Without a value, or with 1 or true, it names all
// of them; otherwise it is a list.
func embeds(query *php.Array, rel string) bool {
	v, ok := query.Lookup("_embed")
	if list, isList := v.(*php.Array); isList {
		return slices.ContainsFunc(list.Values(), func(item php.Value) bool { return php.ToString(item) == rel })
	}
	s := php.ToString(v)
	rels := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	return ok && (s == "" || s == "1" || s == "true" || slices.Contains(rels, rel))
}
