package wptext

import "strings"

// UploadsURL returns the base URL of the uploads without trailing slash, from
// the options siteurl, upload_url_path and upload_path. contentURL is the
// constant WP_CONTENT_URL, "" when wp-config.php doesn't set it. Over https
// the scheme becomes https on whatever host.
func UploadsURL(siteURL, uploadURLPath, uploadPath string, https bool, contentURL string) string {
	var u string
	switch {
	case uploadURLPath != "":
		u = uploadURLPath
	case uploadPath != "" && uploadPath != "wp-content/uploads":
		u = strings.TrimRight(siteURL, "/") + "/" + strings.Trim(uploadPath, "/")
	case contentURL != "":
		u = contentURL + "/uploads"
	default:
		u = strings.TrimRight(siteURL, "/") + "/wp-content/uploads"
	}
	if https {
		u = toHTTPS(u)
	}
	return u
}

func toHTTPS(u string) string {
	if rest, ok := strings.CutPrefix(u, "http://"); ok {
		return "https://" + rest
	}
	return u
}

// FileURL returns the URL of the attachment's file. uploadsURL is the result of
// [UploadsURL].
func (a *Attachment) FileURL(uploadsURL string) string {
	const uploads = "wp-content/uploads"
	if a.File == "" {
		if strings.HasPrefix(uploadsURL, "https://") {
			return toHTTPS(a.GUID)
		}
		return a.GUID
	}
	file := a.File
	if i := strings.Index(file, uploads); i >= 0 {
		file = strings.TrimPrefix(file[i+len(uploads):], "/")
	}
	return uploadsURL + "/" + file
}

// IsImage says whether WordPress takes the attachment for an image.
func (a *Attachment) IsImage() bool { return strings.HasPrefix(a.MIMEType, "image/") }
