package systemtest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// fuzzed500 lists the server errors that the reference returns, too. Any other is a defect.
var fuzzed500 = map[string]bool{
	"internal_server_error": true, // _method[]=, objects among terms, zones such as UTCfoo
	"empty_content":         true, "db_insert_error": true, "empty_term_name": true, "invalid_term_name": true, "duplicate_term_slug": true,
	"could-not-delete-event": true, "could-not-delete-venue": true, "could-not-delete-organizer": true,
	"event-not-found": true, // deleted permanently, on sites without a trash
}

// judge describes what is wrong with a response. It returns "" if nothing is.
func (s *fuzzedSite) judge(req *http.Request, w *httptest.ResponseRecorder) string {
	status, code, body := w.Code, s.seen.Code, w.Body.Bytes()
	switch {
	case s.seen.Panicked:
		return "panic"
	case status == http.StatusNotModified:
		if len(body) > 0 || req.Header.Get("If-None-Match") == "" {
			return "nobody has asked whether it is modified, or there is a body"
		}
		return ""
	case status < 200 || status > 599 || status >= 300 && status < 400:
		return "status"
	case status == http.StatusNotImplemented && (code == "calbridge_no_uploads" || code == "calbridge_no_changes"):
	case status >= 500 && (status != http.StatusInternalServerError || !fuzzed500[code]):
		return fmt.Sprintf("error of the server's own: %s: %v", code, s.seen.Err)
	case s.seen.Err != nil:
		if status < 500 && code != "calbridge_bad_body" {
			return fmt.Sprintf("error below: %v", s.seen.Err)
		}
	}
	for name, values := range w.Header() {
		for _, v := range values {
			if strings.ContainsAny(v, "\r\n\x00") {
				return fmt.Sprintf("header %s: %q", name, v)
			}
		}
	}
	length := w.Header().Get("Content-Length")
	if len(body) == 0 {
		if length != "" && length != "0" {
			return "a length without a body"
		}
		if req.Method != http.MethodHead && s.seen.Bytes == 0 && !mayBeEmpty(req) {
			return "no body"
		}
		return ""
	}
	if req.Method == http.MethodHead {
		return "a body for HEAD"
	}
	if length != strconv.Itoa(len(body)) {
		return "length " + length
	}
	if body = decoded(w.Header().Get("Content-Encoding"), body); body == nil {
		return "encoding"
	}
	return judgeType(w.Header().Get("Content-Type"), body, code)
}

// judgeKept compares a response that may come from caches with the current rows.
func (s *fuzzedSite) judgeKept(raw string, w *httptest.ResponseRecorder) string {
	method, _, _ := strings.Cut(raw, " ")
	reads := (method == "GET" || method == "HEAD") && !strings.Contains(strings.ToLower(raw), "method")
	if s.keepsNothing == nil || !reads {
		return ""
	}
	_, fresh := send(s.keepsNothing, raw)
	if fresh.Code != w.Code || !bytes.Equal(fresh.Body.Bytes(), w.Body.Bytes()) || !maps.EqualFunc(fresh.Header(), w.Header(), slices.Equal) {
		at := 0
		for remembered, now := w.Body.Bytes(), fresh.Body.Bytes(); at < min(len(remembered), len(now)) && remembered[at] == now[at]; {
			at++
		}
		around := func(body []byte) []byte { return body[min(max(at-80, 0), len(body)):min(at+80, len(body))] }
		return fmt.Sprintf("%s by way of memory, but of the rows it is %d %v; from byte %d:\n%s\n%s\n", s.seen.Cache, fresh.Code, fresh.Header(), at,
			around(w.Body.Bytes()), around(fresh.Body.Bytes()))
	}
	return ""
}

// decoded returns a body without its content coding, or nil if the body is broken.
func decoded(encoding string, body []byte) []byte {
	switch encoding {
	case "":
		return body
	case "gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return nil
		}
		if plain, err := io.ReadAll(r); err == nil {
			return plain
		}
	case "zstd":
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil
		}
		defer r.Close()
		if plain, err := r.DecodeAll(body, nil); err == nil {
			return plain
		}
	}
	return nil
}

// mayBeEmpty reports whether a response may lack a body: only a response to HEAD, or to a
// method overridden by HEAD.
func mayBeEmpty(req *http.Request) bool {
	return strings.EqualFold(req.Method, "HEAD") || strings.EqualFold(req.Header.Get("X-HTTP-Method-Override"), "HEAD") ||
		strings.Contains(strings.ToLower(req.RequestURI), "_method")
}

// judgeType describes what is wrong with a body of its content type.
func judgeType(contentType string, body []byte, code string) string {
	switch media, _, _ := strings.Cut(contentType, ";"); media {
	case "application/json":
		if !json.Valid(body) {
			return "broken JSON"
		}
	case "application/javascript":
		if code == "rest_callback_invalid" && json.Valid(body) { // WordPress sends the type of a script even so
			return ""
		}
		name, inner, ok := bytes.Cut(body, []byte("("))
		name, begins := bytes.CutPrefix(name, []byte("/**/"))
		inner, ends := bytes.CutSuffix(inner, []byte(")"))
		if !ok || !begins || !ends || len(name) == 0 || !json.Valid(inner) {
			return "broken JSONP"
		}
	case "text/plain":
		if string(body) != "404 page not found\n" {
			return "text"
		}
	default:
		return "type " + contentType
	}
	return ""
}
