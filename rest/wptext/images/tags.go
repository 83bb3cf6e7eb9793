package images

import (
	"regexp"
	"strconv"
	"strings"

	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// CompleteTags completes the tags of images and frames as WordPress does late in
// the chains of content and excerpt: sizes and alternatives from the media
// library, lazy loading, asynchronous decoding.
func CompleteTags(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	if !strings.Contains(s, "<img") && !strings.Contains(s, "<iframe") {
		return s
	}
	gt := scan.NewFinder(s, ">")
	out := scan.Patch{Src: s}
	done := map[string]string{} // a tag that occurs twice is completed once
	for pos := 0; ; {
		start, end := nextMediaTag(s, pos, &gt)
		if end == 0 {
			return out.String()
		}
		tag := s[start:end]
		completed, ok := done[tag]
		if !ok {
			if strings.HasPrefix(tag, "<iframe") {
				completed = frameTag(tag)
			} else {
				completed = completeImage(tag, site, res, req)
			}
			done[tag] = completed
		}
		if completed != tag {
			out.Replace(start, end, completed)
		}
		pos = end
	}
}

// nextMediaTag finds <img …> or <iframe …>; end is 0 when there is none.
func nextMediaTag(s string, from int, gt *scan.Finder) (start, end int) {
	for {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return 0, 0
		}
		start = from + i
		from = start + 1
		p := start
		switch {
		case strings.HasPrefix(s[start:], "<img"):
			p += 4
		case strings.HasPrefix(s[start:], "<iframe"):
			p += 7
		default:
			continue
		}
		if p+1 >= len(s) || !scan.IsSpace(s[p]) || s[p+1] == '>' {
			continue
		}
		last := gt.Next(p + 1)
		if last < 0 {
			return 0, 0
		}
		return start, last + 1
	}
}

func frameTag(tag string) string {
	if strings.Contains(tag, " loading=") || strings.Contains(tag, ` data-secret="`) || !strings.Contains(tag, ` src="`) ||
		!strings.Contains(tag, ` width="`) || !strings.Contains(tag, ` height="`) {
		return tag
	}
	return `<iframe loading="lazy"` + tag[len("<iframe"):]
}

// completeImage completes the tag of one image.
func completeImage(tag string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	if a := res.Attachment(attachmentClass(tag)); a != nil {
		tag = withDimensions(tag, a)
		tag = withSrcset(tag, a, site)
	}
	if !strings.Contains(tag, ` src="`) {
		return tag
	}
	if !strings.Contains(tag, " decoding=") {
		tag = `<img decoding="async"` + tag[len("<img"):]
	}
	tag = withLoading(tag, req)
	return withAutoSizes(tag)
}

// attachmentClass returns the id in the class wp-image-ID, which counts wherever
// in the tag it stands; 0 if there is none.
func attachmentClass(tag string) int64 {
	for pos := 0; ; {
		start, end := nextImageID(tag, pos)
		switch {
		case start < 0:
			return 0
		case end > start:
			return php.ToInt(tag[start:end])
		}
		pos = end
	}
}

// IDs returns the ids in the classes of image tags.
func IDs(text string) (ids []int64) {
	if !strings.Contains(text, "<img") {
		return nil
	}
	for pos := 0; ; {
		start, end := nextImageID(text, pos)
		if start < 0 {
			return ids
		}
		if id := php.ToInt(text[start:end]); id > 0 {
			ids = append(ids, id)
		}
		pos = end
	}
}

// nextImageID finds the first "wp-image-" at or behind from and returns the
// bounds of the digits behind it, of which there may be none. start is negative
// when nothing is found.
func nextImageID(s string, from int) (start, end int) {
	const class = "wp-image-"
	i := scan.IndexFold(s[from:], class)
	if i < 0 {
		return -1, 0
	}
	start = from + i + len(class)
	for end = start; scan.DigitAt(s, end); {
		end++
	}
	return start, end
}

var (
	sourceAttr = regexp.MustCompile(`src="([^"]+)"`)
	widthAttr  = regexp.MustCompile(` width="([0-9]+)"`)
	heightAttr = regexp.MustCompile(` height="([0-9]+)"`)
	styleWidth = regexp.MustCompile(`style="width:\s*(\d+)px;"`)
)

// urlOf returns the address of the image up to its query.
func urlOf(tag string) string {
	m := sourceAttr.FindStringSubmatch(tag)
	if m == nil {
		return ""
	}
	src, _, _ := strings.Cut(m[1], "?")
	return src
}

func intAttr(tag string, pattern *regexp.Regexp) int64 {
	if m := pattern.FindStringSubmatch(tag); m != nil {
		return php.ToInt(m[1])
	}
	return 0
}

// knownDimensions returns the size of the attachment's file that src names.
func knownDimensions(a *wptext.Attachment, src string) (width, height int64) {
	meta, _ := a.Metadata.(*php.Array)
	file := php.ToString(meta.At("file"))
	base := file[strings.LastIndexByte(file, '/')+1:]
	if base != "" && strings.Contains(src, base) {
		return php.ToInt(meta.At("width")), php.ToInt(meta.At("height"))
	}
	sizes, _ := meta.At("sizes").(*php.Array)
	srcBase := src[strings.LastIndexByte(src, '/')+1:]
	for _, v := range sizes.All() {
		if size, ok := v.(*php.Array); ok && php.ToString(size.At("file")) == srcBase {
			return php.ToInt(size.At("width")), php.ToInt(size.At("height"))
		}
	}
	return 0, 0
}

// withDimensions adds width and height to a tag that has neither.
func withDimensions(tag string, a *wptext.Attachment) string {
	if strings.Contains(tag, " width=") || strings.Contains(tag, " height=") {
		return tag
	}
	src := urlOf(tag)
	if src == "" {
		return tag
	}
	width, height := knownDimensions(a, src)
	if width == 0 || height == 0 {
		return tag
	}
	if styled := intAttr(tag, styleWidth); styled > 0 {
		height = ScaledHeight(width, height, styled)
		width = styled
	}
	return `<img width="` + strconv.FormatInt(width, 10) + `" height="` + strconv.FormatInt(height, 10) + `"` + tag[len("<img"):]
}

// withSrcset adds the attachment's other files to the tag.
func withSrcset(tag string, a *wptext.Attachment, site *wptext.Site) string {
	if strings.Contains(tag, " srcset=") {
		return tag
	}
	src := urlOf(tag)
	if src == "" {
		return tag
	}
	shown := source{url: src, width: intAttr(tag, widthAttr), height: intAttr(tag, heightAttr)}
	if shown.width == 0 || shown.height == 0 {
		shown.width, shown.height = knownDimensions(a, src)
	}
	set := srcset(a, shown, site)
	if set == "" || !strings.HasPrefix(tag, "<img ") {
		return tag
	}
	attrs := ` srcset="` + escape.Attr(set) + `"`
	if !strings.Contains(tag, " sizes=") {
		attrs += ` sizes="` + sizesFor(shown.width) + `"`
	}
	return strings.TrimRight(tag[:len(tag)-1], "/ ") + attrs + " />"
}

// withLoading adds lazy loading to an image whose size is known. An image that
// must load at once gets a high priority instead, if it is the first large one
// of the answer.
func withLoading(tag string, req *wptext.RequestState) string {
	if !strings.Contains(tag, ` width="`) || !strings.Contains(tag, ` height="`) {
		return tag
	}
	if !widthAttr.MatchString(tag) || !heightAttr.MatchString(tag) {
		return tag
	}
	image, _ := markup.FirstTag(tag, "img")
	switch image.Value(tag, "fetchpriority") {
	case "high":
		req.HighPriorityImage = true
		return tag
	case "low":
		return tag
	}
	loading, given := image.Attr(tag, "loading")
	if !given {
		return `<img loading="lazy"` + tag[len("<img"):]
	}
	const largeImage = 50000 // square pixels
	lazy := tag[loading.ValueStart:loading.ValueEnd] == "lazy"
	width, height := intAttr(tag, widthAttr), intAttr(tag, heightAttr)
	if lazy || req.HighPriorityImage || float64(width)*float64(height) < largeImage {
		return tag
	}
	req.HighPriorityImage = true
	if _, given := image.Attr(tag, "fetchpriority"); given {
		return tag
	}
	return `<img fetchpriority="high"` + tag[len("<img"):]
}

// withAutoSizes lets the browser choose the size of a lazy image.
func withAutoSizes(tag string) string {
	image, ok := markup.FirstTag(tag, "img")
	if !ok || !strings.EqualFold(image.Value(tag, "loading"), "lazy") || image.Value(tag, "width") == "" {
		return tag
	}
	sizes, ok := image.Attr(tag, "sizes")
	if !ok {
		return tag
	}
	value := tag[sizes.ValueStart:sizes.ValueEnd]
	first, _, _ := strings.Cut(value, ",")
	if strings.EqualFold(strings.Trim(first, " \t\f\r\n"), "auto") {
		return tag
	}
	if value != "" {
		value = ", " + value
	}
	return tag[:sizes.Start] + `sizes="auto` + value + `"` + tag[sizes.End:]
}
