package wptext

import "strings"

// galleryRefs returns what the galleries and playlists of a text refer to: the
// ids of files, and the posts whose attached images a gallery shows. It looks at
// everything that might be a gallery, also inside tags and other shortcodes.
func galleryRefs(s string) (files, parents []int64) {
	if !strings.Contains(s, "[gallery") && !strings.Contains(s, "[playlist") {
		return nil, nil
	}
	names := setOf("gallery", "playlist")
	bracket := newFinder(s, "]")
	scanner := newShortcodeScanner(s, names)
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return files, parents
		}
		pos += i + 1
		n := scanner.nameAt(pos)
		if n < 0 {
			continue
		}
		start := pos + len(shortcodeNames[n])
		end := bracket.next(start)
		if end < 0 {
			return files, parents
		}
		attrs := shortcodeAttrs(strings.TrimSuffix(s[start:end], "/"))
		listed := idList(textAttr(attrs, "ids", ""))
		listed = append(listed, idList(textAttr(attrs, "include", ""))...)
		files = append(files, listed...)
		if shortcodeNames[n] == "gallery" && len(listed) == 0 {
			parents = append(parents, galleryParent(attrs))
		}
		pos = end
	}
}
