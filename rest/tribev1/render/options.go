package render

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// Options are the parameters that change how terms are shown.
type Options struct {
	// Lacks has the members that WordPress's own controller leaves out; nil if it shows all.
	Lacks   map[string]bool
	EmbedUp bool // embed the parent
}

// termMembers are the members of WordPress's own term controller, and whether the context embed
// has them. The contexts view and edit have all, others none.
var termMembers = []struct {
	name     string
	embedded bool
}{
	{"id", true}, {"count", false}, {"description", false}, {"link", true}, {"name", true}, {"slug", true}, {"taxonomy", true},
	{"parent", false}, {"meta", false},
}

// OptionsOf reads the parameters _fields and _embed, and with reads the parameter context, which
// writes ignore. WordPress's controller applies _fields to each of its terms, even within a list,
// before the response as a whole is filtered. It always shows the id.
func OptionsOf(p *api.Params, reads bool) Options {
	options := Options{EmbedUp: embeds(p.Query, "up")}
	filter, context := p.Get("_fields"), p.Get("context")
	if !reads || php.Empty(context) {
		context = "view"
	}
	fields := api.Set{}
	if !php.Empty(filter) {
		fields = api.ParseFields(filter)
	}
	for _, m := range termMembers {
		named := m.name == "id" || fields.Whole(m.name)
		if named && (context == "view" || context == "edit" || context == "embed" && m.embedded) {
			continue
		}
		if options.Lacks == nil {
			options.Lacks = map[string]bool{}
		}
		options.Lacks[m.name] = true
	}
	return options
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
