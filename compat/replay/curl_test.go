package replay

import (
	"testing"

	"calbridge/compat/recording"
)

func TestCurlLine(t *testing.T) {
	body := `{"a":"it's"}`
	for _, c := range []struct {
		as   string
		r    recording.Request
		want string
	}{
		{recording.Anonymous, recording.Request{Method: "GET", Path: "/wp-json/x?a=1&b[]=2"}, `curl -sS -g --path-as-is -i -H 'Host: town.example' -H 'X-Forwarded-Proto: https' -H 'Accept: application/json' 'http://t:80/wp-json/x?a=1&b[]=2'`},
		{"jana", recording.Request{Method: "HEAD", Path: "/x", Headers: map[string]string{"accept": "*/*"}}, `curl -sS -g --path-as-is -I -H 'Host: town.example' -H 'X-Forwarded-Proto: https' -H 'accept: */*' -u jana http://t:80/x`},
		{recording.Anonymous, recording.Request{Method: "POST", Path: "/x?_wpnonce=abc", Body: &body, Headers: map[string]string{"Accept": "", "Cookie": "a=secret"}}, `curl -sS -g --path-as-is -i -X POST -H 'Host: town.example' -H 'X-Forwarded-Proto: https' -H 'Accept;' -H 'Cookie: (redacted)' --data-binary '{"a":"it'\''s"}' 'http://t:80/x?_wpnonce=(redacted)'`},
	} {
		if got := CurlLine("http://t:80/", "town.example", "https", c.as, c.r); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
