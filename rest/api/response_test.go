package api

import (
	"fmt"
	"net/http/httptest"
	"testing"
)

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		status int
		head   bool
		length string
		sent   int
	}{{200, false, "5", 5}, {200, true, "", 0}, {304, false, "", 0}, {404, false, "5", 5}} {
		w := httptest.NewRecorder()
		n := Write(w, c.status, []byte("12345"), c.head)
		if w.Code != c.status || n != c.sent || w.Body.Len() != c.sent || w.Header().Get("Content-Length") != c.length {
			t.Errorf("%+v: %d, %d bytes, %v", c, w.Code, n, w.Header())
		}
	}
}

func TestResponseHelpers(t *testing.T) {
	res := JSON(418, Object("tea", "pot"))
	if got := fmt.Sprint(res.Status, " ", string(res.Body)); got != `418 {"tea":"pot"}` {
		t.Error(got)
	}
}
