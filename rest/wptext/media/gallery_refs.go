package media

import (
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/rest/wptext/shortcode"
)

// GalleryRefs returns what the galleries and playlists of a text refer to: the
// ids of files, and the posts whose attached images a gallery shows. It looks at
// everything that might be a gallery, also inside tags and other shortcodes.
func GalleryRefs(s string) (files, parents []int64) {
	if !strings.Contains(s, "[gallery") && !strings.Contains(s, "[playlist") {
		return nil, nil
	}
	names := shortcode.SetOf("gallery", "playlist")
	bracket := scan.NewFinder(s, "]")
	scanner := shortcode.NewScanner(s, names)
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '[')
		if i < 0 {
			return files, parents
		}
		pos += i + 1
		n := scanner.NameAt(pos)
		if n < 0 {
			continue
		}
		start := pos + len(shortcode.Names[n])
		end := bracket.Next(start)
		if end < 0 {
			return files, parents
		}
		attrs := shortcode.ParseAttrs(strings.TrimSuffix(s[start:end], "/"))
		listed := idList(shortcode.Attr(attrs, "ids", ""))
		listed = append(listed, idList(shortcode.Attr(attrs, "include", ""))...)
		files = append(files, listed...)
		if shortcode.Names[n] == "gallery" && len(listed) == 0 {
			parents = append(parents, galleryParent(attrs))
		}
		pos = end
	}
}
