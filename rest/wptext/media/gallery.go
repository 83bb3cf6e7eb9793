package media

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/trait"
	"calbridge/rest/wptext"

	"calbridge/rest/wptext/kses"
	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/shortcode"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore/php"
)

// maxGalleryItems bounds the images that the galleries of one answer show: a gallery of
// nine bytes can ask for all images of a site.
const maxGalleryItems = 20000

// galleryTags are the elements that a gallery is made of.
type galleryTags struct{ item, icon, caption string }

// gallery is one [gallery] being rendered.
type gallery struct {
	site     *wptext.Site
	attrs    *php.Array
	size     string // the named size of its images
	selector string // the id of its element
	tags     galleryTags
}

// renderGallery renders [gallery]. Without ids it shows the
// images attached to a post. There is no current post, so the default is post 0: all
// unattached images.
func renderGallery(attrs *php.Array, site *wptext.Site, res *wptext.Resources, req *wptext.RequestState) string {
	req.Galleries++
	images := galleryImages(attrs, res, req)
	if len(images) == 0 {
		return ""
	}
	req.GalleryItems += len(images)
	if req.GalleryItems > maxGalleryItems {
		req.NotRendered("[gallery]")
		return ""
	}
	html5 := site.Theme.HTML5Galleries
	g := gallery{
		site: site, attrs: attrs, size: shortcode.Attr(attrs, "size", "thumbnail"),
		selector: "gallery-" + strconv.Itoa(req.Galleries), tags: tagsOf(attrs, html5, site.Traits),
	}

	columns := php.ToInt(shortcode.Attr(attrs, "columns", "3"))
	var sb strings.Builder
	if !html5 && !site.Theme.NoGalleryStyle {
		sb.WriteString(galleryStyle(columns, site.GalleryStyle, req))
	}
	sb.WriteString("<div id='" + g.selector + "' class='gallery galleryid-" + strconv.FormatInt(galleryParent(attrs), 10) +
		" gallery-columns-" + strconv.FormatInt(columns, 10) + " gallery-size-" + keepIDChars(g.size) + "'>")
	for i, image := range images {
		g.item(&sb, image)
		if !html5 && columns > 0 && int64(i+1)%columns == 0 {
			sb.WriteString(`<br style="clear: both" />`)
		}
	}
	if !html5 && columns > 0 && int64(len(images))%columns != 0 {
		sb.WriteString("\n\t\t\t<br style='clear: both' />")
	}
	sb.WriteString("\n\t\t</div>\n")
	return sb.String()
}

// galleryStyle fills in the style sheet that themes without HTML5 galleries get.
func galleryStyle(columns int64, style string, req *wptext.RequestState) string {
	if style == "" {
		req.NotRendered("[gallery] style")
		return ""
	}
	width := int64(100)
	if columns > 0 {
		width = 100 / columns
	}
	return strings.NewReplacer(
		"{number}", strconv.Itoa(req.Galleries),
		"{width}", strconv.FormatInt(width, 10),
	).Replace(style)
}

// item writes one image.
func (g *gallery) item(sb *strings.Builder, image *wptext.Attachment) {
	tags := g.tags
	captionID := ""
	if php.Trim(image.Caption) != "" {
		captionID = g.selector + "-" + strconv.FormatInt(image.ID, 10)
	}
	shown := ImageTag(image, g.size, captionID, g.site)
	switch shortcode.Attr(g.attrs, "link", "") {
	case "none":
	case "file":
		shown = "<a href='" + g.site.Escape().URL(image.FileURL(g.site.UploadsURL)) + "'>" + shown + "</a>"
	default:
		shown = "<a href='" + g.site.Escape().URL(Permalink(image, g.site)) + "'>" + shown + "</a>"
	}
	sb.WriteString("<" + tags.item + " class='gallery-item'>\n\t\t\t<" + tags.icon +
		" class='gallery-icon " + orientation(image) + "'>\n\t\t\t\t" + shown + "\n\t\t\t</" + tags.icon + ">")
	if captionID != "" {
		sb.WriteString("\n\t\t\t\t<" + tags.caption + " class='wp-caption-text gallery-caption' id='" + captionID + "'>\n\t\t\t\t" +
			typography.Texturize(image.Caption, g.site.Locale) + "\n\t\t\t\t</" + tags.caption + ">")
	}
	sb.WriteString("</" + tags.item + ">")
}

func orientation(image *wptext.Attachment) string {
	meta, _ := image.Metadata.(*php.Array)
	width, height := meta.At("width"), meta.At("height")
	switch {
	case width == nil || height == nil:
		return ""
	case php.ToFloat(height) > php.ToFloat(width):
		return "portrait"
	}
	return "landscape"
}

// tagsOf returns the elements that the attributes ask for.
func tagsOf(attrs *php.Array, html5 bool, traits trait.Set) galleryTags {
	tags := galleryTags{"dl", "dt", "dd"}
	if html5 {
		tags = galleryTags{"figure", "div", "figcaption"}
	}
	useTag(&tags.item, attrs, "itemtag", "dl", traits)
	useTag(&tags.caption, attrs, "captiontag", "dd", traits)
	useTag(&tags.icon, attrs, "icontag", "dt", traits)
	return tags
}

// useTag takes the element that an attribute names, or the fallback for one that kses
// doesn't allow.
func useTag(tag *string, attrs *php.Array, name, fallback string, traits trait.Set) {
	given, ok := attrs.Lookup(name)
	if !ok {
		return
	}
	*tag = strings.ToLower(keepIDChars(php.ToString(given)))
	if probe := "<" + *tag + ">"; kses.Post(probe, traits) != probe {
		*tag = fallback
	}
}

// galleryParent returns the post whose images a gallery without ids shows.
func galleryParent(attrs *php.Array) int64 { return php.ToInt(shortcode.Attr(attrs, "id", "0")) }

// galleryImages returns the images of a gallery in their order.
func galleryImages(attrs *php.Array, res *wptext.Resources, req *wptext.RequestState) []*wptext.Attachment {
	orderBy := shortcode.Attr(attrs, "orderby", "")
	include := shortcode.Attr(attrs, "include", "")
	if ids := shortcode.Attr(attrs, "ids", ""); ids != "" {
		include, orderBy = ids, cmp.Or(orderBy, "post__in")
	}
	var images []*wptext.Attachment
	if include != "" {
		for _, id := range idList(include) {
			a := res.Attachments[id]
			if a != nil && (a.Status == "" || a.Status == "inherit") && a.IsImage() && !slices.Contains(images, a) {
				images = append(images, a)
			}
		}
	} else {
		images = slices.Clone(res.Children[galleryParent(attrs)])
		sortImages(images, "menu_order ID", "ASC", req)
		if exclude := idList(shortcode.Attr(attrs, "exclude", "")); len(exclude) > 0 {
			images = slices.DeleteFunc(images, func(a *wptext.Attachment) bool { return slices.Contains(exclude, a.ID) })
		}
	}
	sortImages(images, orderBy, shortcode.Attr(attrs, "order", "ASC"), req)
	return images
}

// sortImages sorts images by the attributes orderby and order.
func sortImages(images []*wptext.Attachment, orderBy, order string, req *wptext.RequestState) {
	var orders []func(a, b *wptext.Attachment) int
	for key := range strings.FieldsSeq(cmp.Or(orderBy, "menu_order ID")) {
		compare, known := imageOrders[key]
		if !known { // at random, or by dates, which Attachment lacks
			req.NotRendered("[gallery] orderby")
		} else if compare != nil {
			orders = append(orders, compare)
		}
	}
	descending := strings.EqualFold(order, "DESC")
	slices.SortStableFunc(images, func(a, b *wptext.Attachment) int {
		if descending {
			a, b = b, a
		}
		for _, compare := range orders {
			if result := compare(a, b); result != 0 {
				return result
			}
		}
		return 0
	})
}

// imageOrders are the values of orderby; nil leaves the order as it is.
var imageOrders = map[string]func(a, b *wptext.Attachment) int{
	"post__in":   nil,
	"none":       nil,
	"menu_order": func(a, b *wptext.Attachment) int { return cmp.Compare(a.MenuOrder, b.MenuOrder) },
	"ID":         func(a, b *wptext.Attachment) int { return cmp.Compare(a.ID, b.ID) },
	"title":      compareTitles,
	"post_title": compareTitles,
	"name":       compareNames,
	"post_name":  compareNames,
}

func compareTitles(a, b *wptext.Attachment) int {
	return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
}

func compareNames(a, b *wptext.Attachment) int { return cmp.Compare(a.Name, b.Name) }

// maxGalleryImages bounds the ids of one shortcode.
const maxGalleryImages = 500

// idList reads ids that commas or spaces separate.
func idList(s string) []int64 {
	var ids []int64
	for field := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ',' || c < 0x80 && markup.IsSpace(byte(c)) }) {
		if id := php.ToInt(field); id != 0 && len(ids) < maxGalleryImages {
			ids = append(ids, max(id, -id))
		}
	}
	return ids
}

// GalleryRefs returns what the galleries and playlists of a text refer to: the ids of
// files, and the posts whose attached images a gallery shows. It also looks inside tags
// and other shortcodes.
func GalleryRefs(s string) (files, parents []int64) {
	if !strings.Contains(s, "[gallery") && !strings.Contains(s, "[playlist") {
		return nil, nil
	}
	bracket := markup.NewFinder(s, "]")
	scanner := shortcode.NewScanner(s, shortcode.SetOf("gallery", "playlist"))
	p := markup.Patch{Src: s}
	for i := range p.Each("[") {
		n := scanner.NameAt(i + 1)
		if n < 0 {
			continue
		}
		start := i + 1 + len(shortcode.Names[n])
		end := bracket.Next(start)
		if end < 0 {
			break
		}
		attrs := shortcode.ParseAttrs(strings.TrimSuffix(s[start:end], "/"))
		listed := idList(shortcode.Attr(attrs, "ids", ""))
		listed = append(listed, idList(shortcode.Attr(attrs, "include", ""))...)
		files = append(files, listed...)
		if shortcode.Names[n] == "gallery" && len(listed) == 0 {
			parents = append(parents, galleryParent(attrs))
		}
		p.Skip(end)
	}
	return files, parents
}
