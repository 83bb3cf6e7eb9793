package wptext

import (
	"cmp"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// Uploads describes where the uploads of a site are.
type Uploads struct {
	SiteURL string // option siteurl, without trailing slash
	// ContentURL and Constant are WP_CONTENT_URL and UPLOADS, "" where wp-config.php doesn't
	// define them.
	ContentURL, Constant string
	// URLPath and Path are the options upload_url_path and upload_path.
	URLPath, Path string
	// Subsite is the number of the site in its network, 0 for the main site and outside of
	// networks.
	Subsite int64
	// Rewritten: the network's web server maps addresses to files, as before WordPress 3.5.
	Rewritten bool
}

// URL returns the base URL of the uploads as WordPress joins it: whether it ends with a slash
// depends on the constant or option that it comes from. Over https the scheme becomes https
// on whatever host.
func (u *Uploads) URL(https bool) string {
	path := php.Trim(u.Path)
	usual := path == "" || path == "0" || path == "wp-content/uploads" || path[0] == '/' // a path on the disk
	var address string
	switch {
	case u.Rewritten && u.Subsite > 0:
		address = u.SiteURL + "/files"
	case u.Constant != "" && !u.Rewritten:
		address = u.SiteURL + "/" + u.Constant
	case u.URLPath != "" && u.URLPath != "0":
		address = u.URLPath
	case !usual:
		address = u.SiteURL + "/" + path
	default:
		address = cmp.Or(u.ContentURL, u.SiteURL+"/wp-content") + "/uploads"
	}
	if u.Subsite > 0 && !u.Rewritten {
		address += "/sites/" + strconv.FormatInt(u.Subsite, 10)
	}
	if https {
		address = toHTTPS(address)
	}
	return address
}

func toHTTPS(u string) string {
	if rest, ok := strings.CutPrefix(u, "http://"); ok {
		return "https://" + rest
	}
	return u
}

// FileURL returns the URL of the attachment's file. uploadsURL is the result of
// [Uploads.URL].
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

// IsImage reports whether WordPress takes the attachment for an image.
func (a *Attachment) IsImage() bool { return strings.HasPrefix(a.MIMEType, "image/") }
