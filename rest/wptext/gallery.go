package wptext

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// maxGalleryItems bounds how many images the galleries of one answer show: a
// gallery of nine bytes can ask for all images of a site.
const maxGalleryItems = 20000

// galleryTags are the elements that a gallery is made of.
type galleryTags struct{ item, icon, caption string }

// gallery renders [gallery]. Without ids it shows the images attached to a post;
// as there is no current post that is post 0, so all images attached to none.
func (r *renderer) gallery(attrs *php.Array) string {
	r.req.galleries++
	images := r.galleryImages(attrs)
	if len(images) == 0 {
		return ""
	}
	if r.req.galleryItems += len(images); r.req.galleryItems > maxGalleryItems {
		r.req.notRendered("[gallery]")
		return ""
	}
	html5 := r.site.Theme.HTML5
	tags := galleryTags{"dl", "dt", "dd"}
	if html5 {
		tags = galleryTags{"figure", "div", "figcaption"}
	}
	useTag(&tags.item, attrs, "itemtag", "dl")
	useTag(&tags.caption, attrs, "captiontag", "dd")
	useTag(&tags.icon, attrs, "icontag", "dt")

	columns := php.ToInt(textAttr(attrs, "columns", "3"))
	size := textAttr(attrs, "size", "thumbnail")
	selector := "gallery-" + strconv.Itoa(r.req.galleries)
	var sb strings.Builder
	if !html5 {
		sb.WriteString(r.galleryStyle(columns))
	}
	sb.WriteString("<div id='" + selector + "' class='gallery galleryid-" + strconv.FormatInt(galleryParent(attrs), 10) +
		" gallery-columns-" + strconv.FormatInt(columns, 10) + " gallery-size-" + keepIDChars(size) + "'>")
	for i, image := range images {
		r.galleryItem(&sb, image, tags, selector, size, textAttr(attrs, "link", ""))
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
func (r *renderer) galleryStyle(columns int64) string {
	if r.site.GalleryStyle == "" {
		r.req.notRendered("[gallery] style")
		return ""
	}
	width := int64(100)
	if columns > 0 {
		width = 100 / columns
	}
	return strings.NewReplacer(
		"{number}", strconv.Itoa(r.req.galleries),
		"{width}", strconv.FormatInt(width, 10),
		"{float}", "left",
	).Replace(r.site.GalleryStyle)
}

func (r *renderer) galleryItem(sb *strings.Builder, image *Attachment, tags galleryTags, selector, size, link string) {
	captionID := ""
	if php.Trim(image.Caption) != "" {
		captionID = selector + "-" + strconv.FormatInt(image.ID, 10)
	}
	shown := r.site.imageTag(image, size, captionID)
	switch link {
	case "none":
	case "file":
		shown = "<a href='" + EscURL(image.FileURL(r.site.UploadsURL), true) + "'>" + shown + "</a>"
	default:
		shown = "<a href='" + EscURL(r.site.attachmentPermalink(image), true) + "'>" + shown + "</a>"
	}
	sb.WriteString("<" + tags.item + " class='gallery-item'>\n\t\t\t<" + tags.icon +
		" class='gallery-icon " + orientation(image) + "'>\n\t\t\t\t" + shown + "\n\t\t\t</" + tags.icon + ">")
	if captionID != "" {
		sb.WriteString("\n\t\t\t\t<" + tags.caption + " class='wp-caption-text gallery-caption' id='" + captionID + "'>\n\t\t\t\t" +
			Texturize(image.Caption, r.site.Locale) + "\n\t\t\t\t</" + tags.caption + ">")
	}
	sb.WriteString("</" + tags.item + ">")
}

func orientation(image *Attachment) string {
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

// useTag takes the element given by an attribute; anything but an element that
// any author may use gives the fallback.
func useTag(tag *string, attrs *php.Array, name, fallback string) {
	given, ok := attrs.Lookup(name)
	if !ok {
		return
	}
	*tag = strings.ToLower(keepIDChars(php.ToString(given)))
	if probe := "<" + *tag + ">"; KsesPost(probe) != probe {
		*tag = fallback
	}
}

// galleryParent is the post whose images a gallery without ids shows.
func galleryParent(attrs *php.Array) int64 { return php.ToInt(textAttr(attrs, "id", "0")) }

// galleryImages returns the images of a gallery in their order.
func (r *renderer) galleryImages(attrs *php.Array) []*Attachment {
	orderBy := textAttr(attrs, "orderby", "")
	include := textAttr(attrs, "include", "")
	if ids := textAttr(attrs, "ids", ""); ids != "" {
		include = ids
		if orderBy == "" {
			orderBy = "post__in"
		}
	}
	var images []*Attachment
	if include != "" {
		for _, id := range idList(include) {
			a := r.res.attachment(id)
			if a != nil && (a.Status == "" || a.Status == "inherit") && a.IsImage() && !slices.Contains(images, a) {
				images = append(images, a)
			}
		}
	} else {
		images = r.res.children(galleryParent(attrs))
		if exclude := idList(textAttr(attrs, "exclude", "")); len(exclude) > 0 {
			images = slices.DeleteFunc(images, func(a *Attachment) bool { return slices.Contains(exclude, a.ID) })
		}
	}
	r.sortImages(images, orderBy, textAttr(attrs, "order", "ASC"))
	return images
}

// sortImages puts images into the order that the attributes orderby and order
// ask for.
func (r *renderer) sortImages(images []*Attachment, orderBy, order string) {
	if orderBy == "" {
		orderBy = "menu_order ID"
	}
	descending := strings.EqualFold(order, "DESC")
	keys := strings.Fields(orderBy)
	slices.SortStableFunc(images, func(a, b *Attachment) int {
		result := 0
		for _, key := range keys {
			if result == 0 {
				result = compareImages(a, b, key)
			}
		}
		if descending {
			return -result
		}
		return result
	})
	for _, key := range keys {
		switch key {
		case "post__in", "menu_order", "ID", "title", "post_title", "name", "post_name", "none":
		default: // at random, or by dates that are not known here
			r.req.notRendered("[gallery] orderby")
		}
	}
}

func compareImages(a, b *Attachment, key string) int {
	switch key {
	case "menu_order":
		return cmp.Compare(a.MenuOrder, b.MenuOrder)
	case "ID":
		return cmp.Compare(a.ID, b.ID)
	case "title", "post_title":
		return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	case "name", "post_name":
		return cmp.Compare(a.Name, b.Name)
	}
	return 0
}

// maxGalleryImages bounds what one shortcode can ask for.
const maxGalleryImages = 500

// idList reads ids that commas or spaces separate.
func idList(s string) []int64 {
	var ids []int64
	for field := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ',' || c < 0x80 && isSpace(byte(c)) }) {
		if id := php.ToInt(field); id != 0 && len(ids) < maxGalleryImages {
			ids = append(ids, max(id, -id))
		}
	}
	return ids
}
