package explain

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// pages holds the addresses of the calendar's pages, as the recordings show them.
type pages struct {
	// bases are the paths above the pages of a kind, with the kind. That of the archive is above
	// the pages of categories.
	bases map[string]string
	seen  map[string]bool
}

// The kinds of bases that are not those of entries.
const (
	archiveBase = "archive"
	tagBase     = "tags"
)

// read adds the addresses of entries in an answer. What events link may be something else.
func (p *pages) read(root *jsontree.Node) {
	entries := []*jsontree.Node{root}
	for _, kind := range listKinds {
		entries = append(entries, itemsOf(root.Member(kind))...)
	}
	for _, entry := range entries {
		address, err := url.Parse(entry.Member("url").Text())
		if err != nil || address.RawQuery != "" || address.Path == "" || entry.Member("slug") == nil {
			continue
		}
		path := directory(address.Path)
		kind, base := "", above(path)
		switch taxonomy := entry.Member("taxonomy").Text(); {
		case taxonomy == "tribe_events_cat" && key(entry, "parent") == "0":
			kind, base = archiveBase, above(base)
		case taxonomy == "post_tag":
			kind = tagBase
		case entry.Member("start_date") != nil:
			kind = "events"
		case entry.Member("venue").Is(jsontree.String):
			kind = "venues"
		case entry.Member("organizer").Is(jsontree.String):
			kind = "organizers"
		default:
			continue
		}
		p.bases[base], p.seen[path] = kind, true
	}
}

// directory returns a path with a slash at its end.
func directory(path string) string { return strings.TrimRight(path, "/") + "/" }

// above returns the path above another, with a slash at its end.
func above(path string) string {
	path = strings.TrimRight(path, "/")
	return path[:strings.LastIndex(path, "/")+1]
}

// notPage matches the end of a path of a news feed, or of a page to embed.
var notPage = regexp.MustCompile(`/(?:feed/(?:[^/]+/)?|embed/)$`)

// frontPage matches what the pages of a front page have below its root.
var frontPage = regexp.MustCompile(`^(?:page/[0-9]+/)?$`)

// otherPage names known difference D14: the reference exports events also at the address of a page
// that is not the calendar's, or does not exist; the target, which can't tell these apart, does not.
func (x *explaining) otherPage(ctx context.Context) {
	if !isExport(x.Recorded) || x.Got.Status != 404 || !strings.HasPrefix(x.Got.Header("content-type"), "text/plain") || x.Listed == nil || !x.left() {
		return
	}
	path, _, _ := strings.Cut(x.Sent.Path, "?")
	path, err := url.PathUnescape(directory(path))
	known := &x.Listed().pages
	if err == nil && (notPage.MatchString(path) || known.foreign(path) || x.unknownPage(ctx, known, path)) {
		x.all("D14")
	}
}

// foreign reports whether a path is none of the calendar's pages, of the front page or of a tag.
func (p *pages) foreign(path string) bool {
	var kinds []string
	for base, kind := range p.bases {
		if below, within := strings.CutPrefix(path, above(base)); strings.HasPrefix(path, base) || within && frontPage.MatchString(below) {
			return false
		}
		kinds = append(kinds, kind)
	}
	return slices.Contains(kinds, archiveBase) && slices.Contains(kinds, "events")
}

// unknownPage reports whether a path is that of a venue or an organizer that neither the recordings
// nor the target know.
func (x *explaining) unknownPage(ctx context.Context, known *pages, path string) bool {
	base := above(path)
	kind := known.bases[base]
	if kind != "venues" && kind != "organizers" || known.seen[path] || x.Ask == nil {
		return false
	}
	slug := strings.Trim(strings.TrimPrefix(path, base), "/")
	answer, err := x.Ask(ctx, recording.Request{Method: "GET", Path: strings.TrimSuffix(above(base), "/") + recording.RESTRoot + string(x.Namespace) + "/" + kind + "/by-slug/" + url.PathEscape(slug), Headers: map[string]string{}})
	return err == nil && slices.Contains([]int{400, 404}, answer.Status)
}
