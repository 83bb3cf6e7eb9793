package termjson

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/fields"
	"calbridge/wpstore/php"
)

// Options are what a request says about how terms are shown.
type Options struct {
	Parent  bool // link to the parent
	EmbedUp bool // embed the parent
}

// OptionsOf reads the parameters _fields and _embed.
func OptionsOf(p *api.Params) Options {
	return Options{Parent: wantsParent(p.Get("_fields")), EmbedUp: embeds(p.Query, "up")}
}

// wantsParent says whether the fields that a request asks for include the parent
// of a term: WordPress's controller leaves it out otherwise, and TEC then finds
// nothing to link to.
func wantsParent(filter php.Value) bool {
	return php.Empty(filter) || fields.Parse(filter).Has("parent")
}

// embeds says whether the request asks for the linked resources of a relation:
// _embed without a value, 1 or true means all of them, else it is a list.
func embeds(query *php.Array, rel string) bool {
	v, ok := query.Lookup("_embed")
	if !ok {
		return false
	}
	var rels []string
	if list, isList := v.(*php.Array); isList {
		for _, item := range list.All() {
			rels = append(rels, php.ToString(item))
		}
	} else {
		s := php.ToString(v)
		if s == "" || s == "1" || s == "true" {
			return true
		}
		rels = strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	}
	return slices.Contains(rels, rel)
}
