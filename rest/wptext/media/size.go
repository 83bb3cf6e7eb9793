package media

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// source is a file of an attachment with the width and height to show it at; 0 means
// unknown.
type source struct {
	url           string
	width, height int64
}

// sourceFor returns the file of a named size. A size without a file is the whole image,
// made smaller in the browser.
func sourceFor(a *wptext.Attachment, size string, site *wptext.Site) source {
	src := source{url: a.FileURL(site.UploadsURL)}
	if file, width, height, ok := sizeFile(a, size); ok {
		src.url = withBase(src.url, file)
		src.width, src.height = width, height
	}
	if src.width == 0 && src.height == 0 {
		meta, _ := a.Metadata.(*php.Array)
		src.width, src.height = php.ToInt(meta.At("width")), php.ToInt(meta.At("height"))
	}
	if src.width != 0 || src.height != 0 {
		maxWidth, maxHeight := sizeLimit(size, site)
		src.width, src.height = constrain(src.width, src.height, maxWidth, maxHeight)
	}
	return src
}

// sizeLimit returns the largest width and height of a named size; 0 means unlimited.
func sizeLimit(size string, site *wptext.Site) (width, height int64) {
	limit, known := site.ImageSizes[size]
	if !known {
		limit, known = defaultSizes[size]
	}
	content := int64(site.Theme.ContentWidth)
	switch {
	case !known:
		return content, 0
	case content > 0 && size != "thumb" && size != "thumbnail" && size != "medium":
		return min(content, limit[0]), limit[1]
	}
	return limit[0], limit[1]
}

// defaultSizes are WordPress's own image sizes.
var defaultSizes = map[string][2]int64{
	"thumb":        {150, 150},
	"thumbnail":    {150, 150},
	"medium":       {300, 300},
	"medium_large": {768, 0},
	"large":        {1024, 1024},
	"1536x1536":    {1536, 1536},
	"2048x2048":    {2048, 2048},
}

// constrain scales a box down into the given limits, keeping its shape; 0 means
// unlimited.
func constrain(width, height, maxWidth, maxHeight int64) (int64, int64) {
	if maxWidth == 0 && maxHeight == 0 {
		return width, height
	}
	widthRatio, heightRatio := 1.0, 1.0
	byWidth := maxWidth > 0 && width > maxWidth
	if byWidth {
		widthRatio = float64(maxWidth) / float64(width)
	}
	byHeight := maxHeight > 0 && height > maxHeight
	if byHeight {
		heightRatio = float64(maxHeight) / float64(height)
	}
	ratio := max(widthRatio, heightRatio)
	if roundHalfUp(float64(width)*ratio) > maxWidth || roundHalfUp(float64(height)*ratio) > maxHeight {
		ratio = min(widthRatio, heightRatio)
	}
	w := max(1, roundHalfUp(float64(width)*ratio))
	h := max(1, roundHalfUp(float64(height)*ratio))
	// A limit missed by one pixel is a rounding error.
	if byWidth && w == maxWidth-1 {
		w = maxWidth
	}
	if byHeight && h == maxHeight-1 {
		h = maxHeight
	}
	return w, h
}

// ScaledHeight returns the height of a box that is scaled to newWidth.
func ScaledHeight(width, height, newWidth int64) int64 {
	return roundHalfUp(float64(height) * float64(newWidth) / float64(width))
}

// roundHalfUp reproduces PHP's round() of a size in pixels: a value within the precision
// of a double below a half counts as the half.
func roundHalfUp(f float64) int64 {
	if f != f || math.Abs(f) > 1<<53 {
		return 0
	}
	floor := math.Floor(f)
	if f-floor >= 0.5-1e-14*max(1, math.Abs(f)) {
		return int64(floor) + 1
	}
	return int64(floor)
}

// ImageTag writes the tag of an attachment in a named size. describedBy, if not
// empty, is the id of its caption.
func ImageTag(a *wptext.Attachment, size, describedBy string, site *wptext.Site) string {
	src := sourceFor(a, size, site)
	if src.url == "" {
		return ""
	}
	var sb strings.Builder
	sb.WriteString("<img ")
	if src.width != 0 {
		sb.WriteString(`width="` + strconv.FormatInt(src.width, 10) + `" `)
	}
	if src.height != 0 {
		sb.WriteString(`height="` + strconv.FormatInt(src.height, 10) + `" `)
	}
	class := escape.Attr(size)
	sb.WriteString(`src="` + escape.Attr(src.url) + `" class="attachment-` + class + " size-" + class +
		`" alt="` + site.Escape().Attr(php.Trim(sanitize.StripTags(a.Alt))) + `"`)
	if describedBy != "" {
		sb.WriteString(` aria-describedby="` + escape.Attr(describedBy) + `"`)
	}
	theme := &site.Theme
	sizes := theme.AttachmentSizes
	if set := srcset(a, src, site); set != "" {
		sb.WriteString(` srcset="` + escape.Attr(set) + `"`)
		sizes = cmp.Or(sizes, theme.SizesOf(src.width))
	}
	if sizes != "" {
		sb.WriteString(` sizes="` + escape.Attr(sizes) + `"`)
	}
	if style := scaledStyle(a); theme.ScaledAttachments && style != "" {
		sb.WriteString(` style="` + style + `"`)
	}
	sb.WriteString(" />")
	return sb.String()
}

// scaledStyle keeps the shape of an image that is as wide as its place; "" where the size of
// its file is not known.
func scaledStyle(a *wptext.Attachment) string {
	meta, _ := a.Metadata.(*php.Array)
	width, height := php.ToFloat(meta.At("width")), php.ToFloat(meta.At("height"))
	if width == 0 || height == 0 {
		return ""
	}
	percent := strconv.FormatFloat(float64(roundHalfUp(100*100*height/width))/100, 'f', -1, 64)
	return "width:100%;height:" + percent + "%;max-width:" + php.ToString(meta.At("width")) + "px;"
}

// Permalink returns the URL of the attachment's own page.
func Permalink(a *wptext.Attachment, site *wptext.Site) string {
	plain := site.Home + "/?attachment_id=" + strconv.FormatInt(a.ID, 10)
	if site.PermalinkStructure == "" {
		return plain
	}
	slash := ""
	if strings.HasSuffix(site.PermalinkStructure, "/") {
		slash = "/"
	}
	if a.Parent == 0 {
		return site.Home + "/" + a.Name + slash
	}
	if a.ParentURL == "" || strings.Contains(a.ParentURL, "?") {
		return plain
	}
	name := a.Name
	if php.IsNumericString(name) || strings.Contains(site.PermalinkStructure, "%category%") {
		name = "attachment/" + name
	}
	return strings.TrimRight(a.ParentURL, "/") + "/" + name + slash
}
