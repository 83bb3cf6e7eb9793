package rest

import (
	"net/http"
	"testing"
)

// TestAllowAfterWriting checks that the header lists what the user may do with the post after the
// write.
func TestAllowAfterWriting(t *testing.T) {
	const all = "GET, DELETE, POST, PUT, PATCH"
	for _, c := range []struct{ as, method, target, body, want string }{
		{"karel", http.MethodPut, "events/110", `{"title":"Mine"}`, all},
		{"karel", http.MethodPut, "events/110", `{"title":"Given away","author":1}`, "GET"},
		{"karel", http.MethodPut, "events/by-slug/dance", `{"title":"Somebody else's"}`, "GET"},
		{"karel", http.MethodDelete, "events/110", "", all},
		{"alois", http.MethodDelete, "events/102", "", all},
		{"edita", http.MethodDelete, "venues/204", "", all},
	} {
		s := newTestSite(t)
		a := s.do(ask{method: c.method, target: c.target, as: c.as, body: c.body, contentType: jsonType})
		if a.status != 200 || a.header.Get("Allow") != c.want {
			t.Errorf("%s as %s: %s, Allow %q, want %q", c.target, c.as, a.outcome(), a.header.Get("Allow"), c.want)
		}
	}
}
