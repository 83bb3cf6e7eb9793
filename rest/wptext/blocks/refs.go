package blocks

import (
	"strings"

	"calbridge/rest/wptext/blockparse"
)

// References are the ids that the blocks of a text refer to: of reusable blocks, of
// organizers, and of films in the media library, whose size their blocks show.
type References struct{ Reusable, Organizers, Films []int64 }

// Refs returns what the blocks of a text refer to.
func Refs(s string) (found References) {
	if !strings.Contains(s, "wp:") {
		return found
	}
	scanner := blockparse.Scanner{S: s}
	for pos := 0; ; {
		d, ok := scanner.Next(pos)
		if !ok {
			return found
		}
		pos = d.End
		if d.Attrs == "" {
			continue
		}
		switch d.Name {
		case "core/block":
			found.Reusable = appendID(found.Reusable, d.Attrs, "ref")
		case "tribe/event-organizer":
			found.Organizers = appendID(found.Organizers, d.Attrs, "organizer")
		case "core/video":
			found.Films = appendID(found.Films, d.Attrs, "id")
		}
	}
}

// appendID appends the id that an attribute of a block holds.
func appendID(ids []int64, attrs, name string) []int64 {
	if id := toID(blockparse.DecodeAttrs(attrs).At(name)); id > 0 {
		return append(ids, id)
	}
	return ids
}
