package wptext

import (
	"strconv"
	"strings"
)

// RequestState is what rendering carries from text to text of one answer: running
// numbers and the order of steps. The zero value is a new request. Requests and
// goroutines must not share it.
//
// The order of texts matters: The Events Calendar renders, for each event, its venues
// and organizers and then the event itself.
type RequestState struct {
	Progress

	unknown map[string]int
}

// Progress is the part of a [RequestState] that later texts of the same answer depend
// on. It is comparable: after equal progress a text renders to the same HTML and leads
// to the same progress, so both can be cached.
type Progress struct {
	// HighPriorityImage: an image with fetchpriority="high" was seen.
	HighPriorityImage bool
	// LateParagraphs: a text with blocks was rendered, after which WordPress makes
	// paragraphs behind the step that frees shortcodes from them.
	LateParagraphs bool

	Galleries, Audios, Videos int // shown so far
	GalleryItems              int
	uniqueIDs, ElementIDs     int // used so far
	// layouts are the numbers of classes of layouts, as "prefix=number;" for each prefix.
	// It is empty where such classes have hashes.
	layouts string
}

// maxUnknown bounds the names that a request records, since they come from stored text.
const maxUnknown = 64

// Unknown returns how often each block or shortcode (in brackets) was found that can't
// be rendered as WordPress would. It has at most 64 names and may be nil.
func (q *RequestState) Unknown() map[string]int { return q.unknown }

// UniqueID returns the next number of WordPress's counter within a request.
func (q *RequestState) UniqueID() string {
	q.uniqueIDs++
	return strconv.Itoa(q.uniqueIDs)
}

// LayoutID returns the next number of classes that begin with prefix, which may have no
// "=" and ";".
func (q *RequestState) LayoutID(prefix string) string {
	var others strings.Builder
	used := 0
	for entry := range strings.SplitSeq(strings.TrimSuffix(q.layouts, ";"), ";") {
		if name, number, _ := strings.Cut(entry, "="); name == prefix {
			used, _ = strconv.Atoi(number)
		} else if entry != "" {
			others.WriteString(entry + ";")
		}
	}
	next := strconv.Itoa(used + 1)
	q.layouts = others.String() + prefix + "=" + next + ";"
	return next
}

// NotRendered counts a block or shortcode for [RequestState.Unknown].
func (q *RequestState) NotRendered(name string) {
	if q.unknown == nil {
		q.unknown = make(map[string]int)
	}
	if _, ok := q.unknown[name]; !ok && len(q.unknown) >= maxUnknown {
		return
	}
	q.unknown[name]++
}
