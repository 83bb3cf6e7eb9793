package respcache

import (
	"net/http"
	"testing"
)

// TestInstead checks that another body has an entity tag of its own, is sent with the same headers, and
// is kept until it is replaced.
func TestInstead(t *testing.T) {
	a := &Answer{Status: http.StatusOK, Header: http.Header{"Last-Modified": {"Sat, 21 Nov 2026 20:04:23 GMT"}}, Body: []byte("ours")}
	first := a.Instead([]byte("theirs"))
	if string(first.Body) != "theirs" || first.ETag() == a.ETag() || first.Status != a.Status || first.Header.Get("Last-Modified") == "" {
		t.Errorf("%+v", first)
	}
	if a.Instead([]byte("theirs")) != first {
		t.Error("the same body is not kept")
	}
	if second := a.Instead([]byte("changed")); second == first || string(second.Body) != "changed" || string(first.Body) != "theirs" {
		t.Errorf("%s, %s", second.Body, first.Body)
	}
}
