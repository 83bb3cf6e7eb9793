package wptext

import "strconv"

// RequestState is what rendering remembers within one request: numbers that run
// through all texts of an answer, and the order of steps. The zero value is a new
// request. It must not be shared between requests or goroutines.
//
// The order of texts matters: The Events Calendar renders, for one event after
// the other, its venues and organizers and then the event itself.
type RequestState struct {
	Progress

	unknown map[string]int
}

// Progress is the part of a [RequestState] that later texts of the same answer
// depend on. It can be compared and copied: with equal progress before, a text renders to
// the same HTML and leaves the same progress behind, so a cache may keep both.
type Progress struct {
	// highPriorityImage: an image with fetchpriority="high" was seen.
	HighPriorityImage bool
	// lateParagraphs: a text with blocks was rendered, after which WordPress makes
	// paragraphs behind the step that frees shortcodes from them.
	LateParagraphs bool

	Galleries, Audios, Videos int // shown so far
	GalleryItems              int
	uniqueIDs, ElementIDs     int // given out so far
}

// maxUnknown bounds the names that a request remembers, since they come from
// stored text.
const maxUnknown = 64

// Unknown returns the blocks and shortcodes (the latter in brackets) that could
// not be rendered as WordPress would, with how often each was met. It holds at
// most 64 names and may be nil.
func (q *RequestState) Unknown() map[string]int { return q.unknown }

// UniqueID returns the next of the numbers that WordPress gives out within a
// request.
func (q *RequestState) UniqueID() string {
	q.uniqueIDs++
	return strconv.Itoa(q.uniqueIDs)
}

// NotRendered counts a block or shortcode that could not be rendered as WordPress
// would; see [RequestState.Unknown].
func (q *RequestState) NotRendered(name string) {
	if q.unknown == nil {
		q.unknown = make(map[string]int)
	}
	if _, ok := q.unknown[name]; !ok && len(q.unknown) >= maxUnknown {
		return
	}
	q.unknown[name]++
}
