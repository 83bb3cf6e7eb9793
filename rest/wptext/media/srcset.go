package media

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/wpstore/php"
)

// maxSrcsetWidth is the largest width in pixels of an offered file.
const maxSrcsetWidth = 2048

// srcsetEntry is one file of a srcset.
type srcsetEntry struct {
	url   string
	width int64
}

// srcset returns the attribute srcset of an image shown from a
// file of the attachment: all files of the same shape. It is empty when there are
// fewer than two or the image is none of them.
func srcset(a *wptext.Attachment, shown source, site *wptext.Site) string {
	meta, _ := a.Metadata.(*php.Array)
	sizes, _ := meta.At("sizes").(*php.Array)
	mainFile := php.ToString(meta.At("file"))
	if sizes.Len() == 0 || len(mainFile) < 4 || shown.width < 1 || shown.height < 1 {
		return ""
	}
	dir, base := splitFile(mainFile)
	_, shownBase := splitFile(shown.url)
	edit := editHash.FindString(mainFile)
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
		return "" // a smaller file may not be animated
	}

	prefix := sameScheme(strings.TrimRight(site.UploadsURL, `/\`), site) + "/" + dir
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
			entries = slices.DeleteFunc(entries, func(e srcsetEntry) bool { return e.width == width })
			entries = slices.Insert(entries, 0, entry)
		} else if i := slices.IndexFunc(entries, func(e srcsetEntry) bool { return e.width == width }); i >= 0 {
			entries[i] = entry
		} else {
			entries = append(entries, entry)
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
		sb.WriteString(strings.ReplaceAll(e.url, " ", "%20") + " " + strconv.FormatInt(e.width, 10) + "w")
	}
	return sb.String()
}

// editHash matches the mark of an image edited in WordPress.
var editHash = regexp.MustCompile(`-e[0-9]{13}`)

// sameShape reports whether two boxes have the same shape up to a pixel at the smaller
// width.
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
	rest, insecure := strings.CutPrefix(u, "http://")
	target, err := url.Parse(u)
	home, homeErr := url.Parse(site.Home)
	if site.HTTPS && insecure && err == nil && homeErr == nil && target.Host == home.Host {
		return "https://" + rest
	}
	return u
}
