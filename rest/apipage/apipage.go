// Package apipage is the API's page for people. It reads the site's OpenAPI document in the
// browser, shows each operation with its parameters, and sends requests.
//
//   - apipage.go: the handler; page.html, page.css, page.js: the page
//
// It turns a Request into one HTML document that makes no requests to other sites. The document's
// policy allows only its own style and script, by their hashes.
package apipage

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/routes"
)

//go:embed page.html
var document string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Handlers returns the handler of the page.
func Handlers() routes.Handlers {
	policy := "default-src 'none'; style-src " + hashOf(style) + "; script-src " + hashOf(script) + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	complete := strings.NewReplacer("STYLE", style, "SCRIPT", script).Replace(document)
	before, after, _ := strings.Cut(complete, "LANGUAGE")
	return routes.Handlers{
		routes.Docs.Of(""): func(_ context.Context, r *routes.Request) (*api.Response, error) {
			return &api.Response{
				Status: http.StatusOK, Body: []byte(before + cmp.Or(r.Place.LanguageCode(), "en") + after), ContentType: "text/html; charset=UTF-8",
				Fields: []api.Header{{Name: "Content-Security-Policy", Value: policy}, {Name: "Referrer-Policy", Value: "no-referrer"}},
			}, nil
		},
	}
}

// hashOf returns the policy source that allows an element with this text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
