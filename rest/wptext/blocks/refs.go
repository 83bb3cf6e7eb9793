package blocks

import (
	"strings"

	"calbridge/rest/wptext/blockparse"
)

// Refs returns the ids of the reusable blocks and of the organizers that the
// blocks of a text refer to.
func Refs(s string) (reusable, organizers []int64) {
	if !strings.Contains(s, "wp:") {
		return nil, nil
	}
	scanner := blockparse.Scanner{S: s}
	for pos := 0; ; {
		d, ok := scanner.Next(pos)
		if !ok {
			return reusable, organizers
		}
		pos = d.End
		if d.Attrs == "" {
			continue
		}
		switch d.Name {
		case "core/block":
			if id := toID(blockparse.DecodeAttrs(d.Attrs).At("ref")); id > 0 {
				reusable = append(reusable, id)
			}
		case "tribe/event-organizer":
			if id := toID(blockparse.DecodeAttrs(d.Attrs).At("organizer")); id > 0 {
				organizers = append(organizers, id)
			}
		}
	}
}
