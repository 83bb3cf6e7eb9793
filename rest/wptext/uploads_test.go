package wptext

import "testing"

func TestUploadsURL(t *testing.T) {
	const site = "http://a.example"
	for _, c := range []struct {
		uploads Uploads
		https   bool
		want    string
	}{
		{Uploads{}, true, "https://a.example/wp-content/uploads"},
		{Uploads{SiteURL: "http://a.example/wp", Path: "wp-content/uploads"}, true, "https://a.example/wp/wp-content/uploads"},
		{Uploads{Path: " files\n"}, false, "http://a.example/files"},
		{Uploads{Path: "/srv/www/files"}, false, "http://a.example/wp-content/uploads"},
		{Uploads{Path: "files", URLPath: "http://cdn.example/x"}, true, "https://cdn.example/x"},
		{Uploads{ContentURL: "http://a.example/assets"}, false, "http://a.example/assets/uploads"},
		{Uploads{Constant: "media", Path: "files", URLPath: "http://cdn.example/x"}, true, "https://a.example/media"},
		{Uploads{Constant: "media/"}, false, "http://a.example/media/"},
		{Uploads{Subsite: 3}, false, "http://a.example/wp-content/uploads/sites/3"},
		{Uploads{Subsite: 3, Constant: "media"}, false, "http://a.example/media/sites/3"},
		{Uploads{Subsite: 3, URLPath: "http://cdn.example/x"}, false, "http://cdn.example/x/sites/3"},
		{Uploads{Subsite: 3, Rewritten: true, Constant: "media"}, false, "http://a.example/files"},
		{Uploads{Rewritten: true, Constant: "media"}, false, "http://a.example/wp-content/uploads"},
	} {
		if c.uploads.SiteURL == "" {
			c.uploads.SiteURL = site
		}
		if got := c.uploads.URL(c.https); got != c.want {
			t.Errorf("%+v: %s, want %s", c.uploads, got, c.want)
		}
	}
}
