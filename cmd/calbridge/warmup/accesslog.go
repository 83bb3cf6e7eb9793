package warmup

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Bounds of an access log. Longer lines are left out.
const (
	maxLine     = 64 << 10
	maxDistinct = 200_000
)

// logged matches a request in the common and the combined format of Apache and nginx, with the status
// that follows it.
var logged = regexp.MustCompile(`"GET (\S+) HTTP/[\d.]+" (\d{3})`)

// ReadLog returns the targets of GET requests for a namespace in an access log: those that were answered
// with 200, 304 or 404 and have no credentials in the query, the most frequent first. It reads the common
// and the combined format (Apache, nginx) and lines of JSON as Caddy writes them. Nothing but paths and
// queries is used.
func ReadLog(r io.Reader, namespace string) ([]string, error) {
	counts := map[string]int{}
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			for errors.Is(err, bufio.ErrBufferFull) { // the rest of a line that is too long
				_, err = in.ReadSlice('\n')
			}
			line = nil
		}
		if target := targetOf(line, namespace); target != "" && (counts[target] > 0 || len(counts) < maxDistinct) {
			counts[target]++
		}
		switch {
		case errors.Is(err, io.EOF):
			all := slices.Sorted(maps.Keys(counts))
			slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
			return all, nil
		case err != nil:
			return nil, err
		}
	}
}

// targetOf returns the target of a line of an access log, "" if it isn't one to send again.
func targetOf(line []byte, namespace string) string {
	target, status := "", ""
	if trimmed := strings.TrimSpace(string(line)); strings.HasPrefix(trimmed, "{") {
		var entry struct {
			Status  json.Number
			Request struct{ Method, URI string }
		}
		if json.Unmarshal([]byte(trimmed), &entry) != nil || entry.Request.Method != http.MethodGet {
			return ""
		}
		target, status = entry.Request.URI, entry.Status.String()
	} else if m := logged.FindSubmatch(line); m != nil {
		target, status = string(m[1]), string(m[2])
	}
	if !slices.Contains([]string{"200", "304", "404"}, status) {
		return ""
	}
	u, err := url.ParseRequestURI(target)
	if err != nil || !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
		return ""
	}
	if path := u.Path + "/"; !strings.Contains(path, "/"+strings.Trim(namespace, "/")+"/") {
		return ""
	}
	query := u.Query()
	for _, name := range []string{"password", "_wpnonce", "_method", "_jsonp", "token"} {
		if query.Has(name) {
			return ""
		}
	}
	return u.RequestURI()
}
