package media

import (
	"iter"
	"regexp"
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"

	"calbridge/wpstore/php"
)

// CompleteTags completes the tags of images and frames: sizes
// and alternatives from the media library, lazy loading, asynchronous decoding.
func CompleteTags(s string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	if !strings.Contains(s, "<img") && !strings.Contains(s, "<iframe") {
		return s
	}
	gt := markup.NewFinder(s, ">")
	out := markup.Patch{Src: s}
	done := map[string]string{} // a tag that occurs twice is completed once
	for start := range out.Each("<") {
		name := start + len("<img")
		isFrame := strings.HasPrefix(s[start:], "<iframe")
		if isFrame {
			name = start + len("<iframe")
		} else if !strings.HasPrefix(s[start:], "<img") {
			continue
		}
		if name+1 >= len(s) || !markup.IsSpace(s[name]) || s[name+1] == '>' {
			continue
		}
		end := gt.Next(name+1) + 1
		if end == 0 {
			break
		}
		tag := s[start:end]
		completed, ok := done[tag]
		if !ok {
			if isFrame {
				completed = frameTag(tag, site.Traits)
			} else {
				completed = completeImage(tag, site, res, req)
			}
			done[tag] = completed
		}
		out.Replace(start, end, completed)
	}
	return out.String()
}

// frameTag lets a frame of known size load late. Before WordPress 6.6 embedded sites, which
// have a secret, are not.
func frameTag(tag string, traits trait.Set) string {
	if strings.Contains(tag, " loading=") || strings.Contains(tag, ` data-secret="`) && traits.Has(trait.TextBefore66) || !strings.Contains(tag, ` src="`) ||
		!strings.Contains(tag, ` width="`) || !strings.Contains(tag, ` height="`) {
		return tag
	}
	return `<iframe loading="lazy"` + tag[len("<iframe"):]
}

// completeImage completes the tag of one image.
func completeImage(tag string, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	if a := res.Attachments[attachmentClass(tag)]; a != nil {
		tag = withDimensions(tag, a)
		tag = withSrcset(tag, a, site)
	}
	if strings.Contains(tag, ` src="`) {
		if !strings.Contains(tag, " decoding=") {
			tag = `<img decoding="async"` + tag[len("<img"):]
		}
		tag = withLoading(tag, site.Traits, req)
	}
	if site.Traits.Has(trait.SizesWithoutAuto) {
		return tag
	}
	return withAutoSizes(tag)
}

// attachmentClass returns the id in wp-image-ID anywhere in the tag, or 0.
func attachmentClass(tag string) int64 {
	for id := range classIDs(tag) {
		return id
	}
	return 0
}

// IDs returns the ids in the classes of image tags.
func IDs(text string) (ids []int64) {
	if !strings.Contains(text, "<img") {
		return nil
	}
	for id := range classIDs(text) {
		if id > 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// classIDs yields the number of each wp-image-NUMBER.
func classIDs(s string) iter.Seq[int64] {
	const class = "wp-image-"
	return func(yield func(id int64) bool) {
		for i := markup.IndexFold(s, class); i >= 0; i = markup.IndexFold(s, class) {
			number := s[i+len(class):]
			s = strings.TrimLeft(number, "0123456789")
			if number = number[:len(number)-len(s)]; number != "" && !yield(php.ToInt(number)) {
				return
			}
		}
	}
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
	if src == "" {
		return 0, 0
	}
	meta, _ := a.Metadata.(*php.Array)
	_, base := splitFile(php.ToString(meta.At("file")))
	if base != "" && strings.Contains(src, base) {
		return php.ToInt(meta.At("width")), php.ToInt(meta.At("height"))
	}
	sizes, _ := meta.At("sizes").(*php.Array)
	_, shown := splitFile(src)
	for _, v := range sizes.All() {
		if size, ok := v.(*php.Array); ok && php.ToString(size.At("file")) == shown {
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
	width, height := knownDimensions(a, urlOf(tag))
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
	shown := source{url: urlOf(tag), width: intAttr(tag, widthAttr), height: intAttr(tag, heightAttr)}
	if shown.width == 0 || shown.height == 0 {
		shown.width, shown.height = knownDimensions(a, shown.url)
	}
	set := srcset(a, shown, site)
	if set == "" || !strings.HasPrefix(tag, "<img ") {
		return tag
	}
	attrs := ` srcset="` + escape.Attr(set) + `"`
	if !strings.Contains(tag, " sizes=") {
		attrs += ` sizes="` + escape.Attr(site.Theme.SizesOf(shown.width)) + `"`
	}
	return strings.TrimRight(tag[:len(tag)-1], "/ ") + attrs + " />"
}

// withLoading adds lazy loading to an image of known size. One that must load at once
// gets a high priority instead if it is the first large one of the answer. Since WordPress
// 7.0 the priorities low and auto are respected.
func withLoading(tag string, traits trait.Set, req *wptext.RequestState) string {
	if !widthAttr.MatchString(tag) || !heightAttr.MatchString(tag) {
		return tag
	}
	image, _ := markup.FirstTag(tag, "img")
	priority := image.Value(tag, "fetchpriority")
	if priority == "high" {
		req.HighPriorityImage = true
		return tag
	}
	if priority == "low" && !traits.Has(trait.TextBefore70) {
		return tag
	}
	if _, given := image.Attr(tag, "loading"); !given {
		return `<img loading="lazy"` + tag[len("<img"):]
	}
	const largeImage = 50000 // square pixels
	width, height := intAttr(tag, widthAttr), intAttr(tag, heightAttr)
	if image.Value(tag, "loading") == "lazy" ||
		priority == "auto" && !traits.Has(trait.TextBefore70) || req.HighPriorityImage || float64(width)*float64(height) < largeImage {
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
	image, _ := markup.FirstTag(tag, "img")
	if !strings.EqualFold(image.Value(tag, "loading"), "lazy") || image.Value(tag, "width") == "" {
		return tag
	}
	sizes, ok := image.Attr(tag, "sizes")
	if !ok {
		return tag
	}
	value := image.Value(tag, "sizes")
	first, _, _ := strings.Cut(value, ",")
	if strings.EqualFold(strings.Trim(first, " \t\f\r\n"), "auto") {
		return tag
	}
	if value != "" {
		value = ", " + value
	}
	return tag[:sizes.Start] + `sizes="auto` + value + `"` + tag[sizes.End:]
}
