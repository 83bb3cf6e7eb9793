package wptext

import "testing"

func TestUploadsURL(t *testing.T) {
	tests := []struct {
		site, url, path string
		https           bool
		content, want   string
	}{
		{"https://a.example", "", "", true, "", "https://a.example/wp-content/uploads"},
		{"http://a.example/wp", "", "wp-content/uploads", true, "", "https://a.example/wp/wp-content/uploads"},
		{"http://a.example", "", "files", false, "", "http://a.example/files"},
		{"http://a.example", "http://cdn.example/x", "files", true, "", "https://cdn.example/x"},
		{"http://a.example", "", "", false, "http://a.example/assets", "http://a.example/assets/uploads"},
	}
	for _, tt := range tests {
		if got := UploadsURL(tt.site, tt.url, tt.path, tt.https, tt.content); got != tt.want {
			t.Errorf("%+v: got %s", tt, got)
		}
	}
}
