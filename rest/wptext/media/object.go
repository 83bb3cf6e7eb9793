package media

import (
	"strings"

	"calbridge/rest/wptext"
	"calbridge/wpstore/php"
)

// sizeFile returns the file name, width and height of a named size in the metadata.
func sizeFile(a *wptext.Attachment, size string) (file string, width, height int64, ok bool) {
	meta, _ := a.Metadata.(*php.Array)
	sizes, _ := meta.At("sizes").(*php.Array)
	entry, isArray := sizes.At(size).(*php.Array)
	if !isArray {
		return "", 0, 0, false
	}
	file = php.ToString(entry.At("file"))
	return file, php.ToInt(entry.At("width")), php.ToInt(entry.At("height")), file != ""
}

// splitFile cuts a path or URL behind its last slash.
func splitFile(file string) (dir, base string) {
	i := strings.LastIndexByte(file, '/') + 1
	return file[:i], file[i:]
}

// withBase replaces the base name of url.
func withBase(url, file string) string {
	dir, _ := splitFile(url)
	return dir + file
}

// ImageObject returns the field "image": false, or url, id,
// extension and what the metadata has. id is the attachment that the post's
// meta _thumbnail_id names, 0 for none; att is nil when it doesn't exist.
func ImageObject(id int64, att *wptext.Attachment, uploadsURL string) php.Value {
	if id == 0 {
		return false
	}
	image := &php.Array{}
	image.SetString("url", fullURL(att, uploadsURL))
	image.SetString("id", id)
	image.SetString("extension", extension(att))
	if att == nil {
		return image
	}
	meta, _ := att.Metadata.(*php.Array)
	if meta.At("image_meta") == nil || meta.At("file") == nil || meta.At("sizes") == nil {
		return image
	}
	fileURL := att.FileURL(uploadsURL)
	for key, value := range meta.All() {
		switch key.String() {
		case "image_meta", "file":
			continue
		case "sizes":
			value = sizeObjects(value, fileURL)
		}
		image.Set(key, value)
	}
	return withoutEmpty(image)
}

// fullURL returns the URL of the size "full", or false.
func fullURL(a *wptext.Attachment, uploadsURL string) php.Value {
	if a == nil {
		return false
	}
	url := a.FileURL(uploadsURL)
	if a.IsImage() {
		if url == "" {
			return false
		}
		return url
	}
	if file, _, _, ok := sizeFile(a, "full"); ok {
		return withBase(url, file)
	}
	return false
}

func extension(a *wptext.Attachment) string {
	if a == nil {
		return ""
	}
	_, base := splitFile(a.File)
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
		return base[dot+1:]
	}
	return ""
}

// sizeObjects turns the sizes of the metadata into those of the answer: their
// file becomes a URL at the end.
func sizeObjects(sizes php.Value, fileURL string) php.Value {
	list, ok := sizes.(*php.Array)
	if !ok {
		return sizes
	}
	out := &php.Array{}
	for name, value := range list.All() {
		entry, ok := value.(*php.Array)
		if !ok {
			continue
		}
		object := &php.Array{}
		for key, v := range entry.All() {
			if key.String() != "file" {
				object.Set(key, v)
			}
		}
		object.SetString("url", withBase(fileURL, php.ToString(entry.At("file"))))
		out.Set(name, object)
	}
	return out
}

func withoutEmpty(a *php.Array) *php.Array {
	out := &php.Array{}
	for key, value := range a.All() {
		if !php.Empty(value) {
			out.Set(key, value)
		}
	}
	return out
}

// OriginalFile returns the MIME type of an attachment that is a picture, and the URL of its file; both
// are "" without one.
func OriginalFile(att *wptext.Attachment, uploadsURL string) (mime, url string) {
	url, _ = fullURL(att, uploadsURL).(string)
	if att != nil && url != "" {
		mime = att.MIMEType
	}
	return mime, url
}
