package images

import (
	"net/url"
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// maxSrcsetWidth is the width in pixels above which a file is not offered.
const maxSrcsetWidth = 2048

// srcsetEntry is one file of a srcset.
type srcsetEntry struct {
	url   string
	width int64
}

// srcset returns the attribute srcset for an image shown from one of the files
// of an attachment: all files of the same shape. It is empty when there are
// fewer than two or when the image is none of them.
func srcset(a *wptext.Attachment, shown source, site *wptext.Site) string {
	meta, _ := a.Metadata.(*php.Array)
	sizes, _ := meta.At("sizes").(*php.Array)
	mainFile := php.ToString(meta.At("file"))
	if sizes.Len() == 0 || len(mainFile) < 4 || shown.width < 1 || shown.height < 1 {
		return ""
	}
	base := mainFile[strings.LastIndexByte(mainFile, '/')+1:]
	dir := mainFile[:len(mainFile)-len(base)]
	shownBase := shown.url[strings.LastIndexByte(shown.url, '/')+1:]
	edit := editHash(mainFile)
	if edit != "" && !strings.Contains(shownBase, edit) {
		return ""
	}

	candidates := sizes.Values()
	whole := &php.Array{}
	whole.SetString("width", meta.At("width"))
	whole.SetString("height", meta.At("height"))
	whole.SetString("file", base)
	thumbnail, _ := sizes.At("thumbnail").(*php.Array)
	if thumbnail.At("mime-type") != "image/gif" {
		candidates = append(candidates, whole)
	} else if strings.Contains(shown.url, dir+base) {
		return "" // a smaller file might not move
	}

	prefix := sameScheme(site.UploadsURL, site) + "/" + dir
	var entries []srcsetEntry
	matched := false
	for _, candidate := range candidates {
		c, ok := candidate.(*php.Array)
		if !ok {
			continue
		}
		file := php.ToString(c.At("file"))
		width, height := php.ToInt(c.At("width")), php.ToInt(c.At("height"))
		isShown := !matched && file != "" && strings.Contains(shown.url, dir+file)
		if edit != "" && !strings.Contains(file, edit) || width > maxSrcsetWidth && !isShown ||
			!sameShape(shown.width, shown.height, width, height) {
			continue
		}
		entry := srcsetEntry{url: prefix + file, width: width}
		if isShown {
			matched = true
			entries = addShown(entries, entry)
		} else {
			entries = addEntry(entries, entry)
		}
	}
	if !matched || len(entries) < 2 {
		return ""
	}
	var sb strings.Builder
	for i, e := range entries {
		if i > 0 {
			sb.WriteString(", ")
		}
		sb.WriteString(strings.ReplaceAll(e.url, " ", "%20"))
		sb.WriteString(" " + strconv.FormatInt(e.width, 10) + "w")
	}
	return sb.String()
}

// addEntry adds a file; one of the same width gives its place to it.
func addEntry(entries []srcsetEntry, entry srcsetEntry) []srcsetEntry {
	for i := range entries {
		if entries[i].width == entry.width {
			entries[i] = entry
			return entries
		}
	}
	return append(entries, entry)
}

// addShown puts the file that is shown in front, in place of one of its width.
func addShown(entries []srcsetEntry, shown srcsetEntry) []srcsetEntry {
	out := []srcsetEntry{shown}
	for _, e := range entries {
		if e.width != shown.width {
			out = append(out, e)
		}
	}
	return out
}

// sizesFor is the attribute sizes of an image of the given width.
func sizesFor(width int64) string {
	w := strconv.FormatInt(width, 10)
	return "(max-width: " + w + "px) 100vw, " + w + "px"
}

// editHash returns the mark of an image edited in WordPress, "-e" and 13 digits,
// or "".
func editHash(file string) string {
	for i := 0; i+15 <= len(file); i++ {
		if file[i] != '-' || file[i+1] != 'e' {
			continue
		}
		n := 0
		for n < 13 && scan.IsDigit(file[i+2+n]) {
			n++
		}
		if n == 13 {
			return file[i : i+15]
		}
	}
	return ""
}

// sameShape says whether two boxes have the same shape up to a pixel, measured
// at the smaller width.
func sameShape(width, height, otherWidth, otherHeight int64) bool {
	if width > otherWidth {
		width, height, otherWidth, otherHeight = otherWidth, otherHeight, width, height
	}
	w, h := constrain(otherWidth, otherHeight, width, 0)
	return near(w, width) && near(h, height)
}

func near(a, b int64) bool { return a-b <= 1 && b-a <= 1 }

// sameScheme makes a URL on the request's host https if the request is.
func sameScheme(u string, site *wptext.Site) string {
	if !site.HTTPS || !strings.HasPrefix(u, "http://") {
		return u
	}
	target, err := url.Parse(u)
	home, homeErr := url.Parse(site.Home)
	if err == nil && homeErr == nil && target.Host == home.Host {
		return "https://" + strings.TrimPrefix(u, "http://")
	}
	return u
}
