package wptext

import "strings"

// blockRefs returns the ids of the reusable blocks and of the organizers that the
// blocks of a text refer to.
func blockRefs(s string) (reusable, organizers []int64) {
	if !strings.Contains(s, "wp:") {
		return nil, nil
	}
	scanner := delimiterScanner{s: s}
	for pos := 0; ; {
		d, ok := scanner.next(pos)
		if !ok {
			return reusable, organizers
		}
		pos = d.end
		if d.attrs == "" {
			continue
		}
		switch d.name {
		case "core/block":
			if id := toID(decodeBlockAttrs(d.attrs).At("ref")); id > 0 {
				reusable = append(reusable, id)
			}
		case "tribe/event-organizer":
			if id := toID(decodeBlockAttrs(d.attrs).At("organizer")); id > 0 {
				organizers = append(organizers, id)
			}
		}
	}
}
