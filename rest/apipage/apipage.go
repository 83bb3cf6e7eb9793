// Package apipage is the API's page for people: Swagger UI with the site's OpenAPI document.
//
//   - apipage.go: the handler; page.html, page.css, page.js: the frame around Swagger UI
//
// It turns a Request into one HTML document that makes no requests to other sites. Swagger UI is
// part of the document, so that the page needs no routes for its files and no absolute links.
// The document's policy allows only these scripts and styles, by their hashes. It also allows
// style attributes, which Swagger UI writes.
package apipage

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	swaggerui "github.com/swaggest/swgui/v5/static"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
)

//go:embed page.html
var document string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Handlers returns the handler of the page. The page is put together when it is first asked for.
func Handlers() wprest.Handlers {
	complete := sync.OnceValues(compose)
	return wprest.Handlers{
		tribev1.Docs.Of(""): func(context.Context, *wprest.Request) (*api.Result, error) {
			p, err := complete()
			if err != nil {
				return nil, err
			}
			return &api.Result{
				Status: http.StatusOK, Body: p.body, ContentType: "text/html; charset=UTF-8",
				Fields: []api.Header{{Name: "Content-Security-Policy", Value: p.policy}, {Name: "Referrer-Policy", Value: "no-referrer"}},
			}, nil
		},
	}
}

// page is the document and its Content-Security-Policy.
type page struct {
	body   []byte
	policy string
}

func compose() (*page, error) {
	css, err := asset("swagger-ui.css")
	if err != nil {
		return nil, err
	}
	viewer, err := asset("swagger-ui-bundle.js")
	if err != nil {
		return nil, err
	}
	css, viewer = css+style, inline(viewer)
	return &page{
		body: []byte(strings.NewReplacer("STYLE", css, "VIEWER", viewer, "SCRIPT", script).Replace(document)),
		policy: "default-src 'none'; style-src-elem " + hashOf(css) + "; style-src-attr 'unsafe-inline'; script-src " + hashOf(viewer) + " " + hashOf(script) +
			"; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	}, nil
}

// asset returns a file of Swagger UI.
func asset(name string) (string, error) {
	file, err := swaggerui.FS.Open(name + ".gz")
	if err != nil {
		return "", fmt.Errorf("load Swagger UI: %w", err)
	}
	defer func() { _ = file.Close() }()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return "", fmt.Errorf("load Swagger UI: %s: %w", name, err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		return "", fmt.Errorf("load Swagger UI: %s: %w", name, err)
	}
	return string(text), nil
}

// inline returns a script as an element may contain it. The standard of HTML names these three
// escapes, which mean the same in strings and regular expressions (section 4.12.1.3, restrictions
// for contents of script elements).
func inline(script string) string {
	return strings.NewReplacer("<!--", `\x3C!--`, "<script", `\x3Cscript`, "</script", `\x3C/script`).Replace(script)
}

// hashOf returns the policy source that allows an element with this text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
