package wpsite

import "testing"

// TestUploads: sites of a network have folders of their own, except its main site.
func TestUploads(t *testing.T) {
	const usual = "https://village.example/wp/wp-content/uploads"
	for _, c := range []struct {
		multisite, rewritten bool
		uploads              Uploads
		want                 string
	}{
		{false, false, Uploads{}, usual},
		{false, true, Uploads{Site: 2}, usual}, // no network
		{true, false, Uploads{}, usual},
		{true, false, Uploads{Site: 1, MainSite: 1}, usual},
		{true, false, Uploads{Site: 2, MainSite: 2}, usual},
		{true, false, Uploads{Site: 1, MainSite: 2}, usual + "/sites/1"},
		{true, false, Uploads{Site: 2, MainSite: 1}, usual + "/sites/2"},
		{true, true, Uploads{Site: 2}, "https://village.example/wp/files"},
		{true, true, Uploads{Constant: "media"}, usual},
		{false, false, Uploads{Constant: "media"}, "https://village.example/wp/media"},
	} {
		facts := testFacts()
		facts.Multisite, facts.RewrittenFiles = c.multisite, c.rewritten
		if got := c.uploads.URL(facts, "http://village.example/wp/", true); got != c.want {
			t.Errorf("%+v: %s, want %s", c, got, c.want)
		}
	}
}
