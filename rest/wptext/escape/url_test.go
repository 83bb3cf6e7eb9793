package escape

import "testing"

// TestScheme compares schemes with those that parse_url of PHP 8.2 returns.
func TestScheme(t *testing.T) {
	for url, want := range map[string]string{
		"": "", "a": "", ":x": "", "mailto:a@b.cz": "mailto", "SMS:+123": "SMS", "sms:123456": "sms", "sms:12345": "", "tel:123/4": "", "a.cz:80": "", "a.cz:80/x": "", "a.cz:x": "a.cz",
		"http:": "http", "1a:b": "1a", "x:/y": "x", "a/b:c": "", "a b:c": "", "?a:b": "", "fb-messenger:x": "fb-messenger", "HTTP://A.example": "HTTP", "http:///x": "", "http://a:b": "",
		"file:///x": "file", "//a:b": "", "#a:b": "", "é:a": "",
	} {
		if got := Scheme(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}
