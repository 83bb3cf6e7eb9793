package union

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/changes/stream"
	"calbridge/wpstore/guard"
)

// Paths of the endpoints below the REST root of the main site.
const (
	Path          = "calbridge/v1/network/events"
	ICalendarPath = Path + ".ics"
	JSONFeedPath  = Path + ".json"
	ChangesPath   = Path + "/changes"
	StreamPath    = Path + "/stream"
)

// missingHeader is the number of chosen sites that a feed does not have.
const missingHeader = "X-Calbridge-Missing"

// Site is a site that takes part.
type Site struct {
	ID int64
	// Name is the site's title. URL is its home address without a slash at its end.
	Name, URL string
	// Path is the site's folder, such as "/divadlo/".
	Path string
	// API is the path of its API below its home address, such as "/wp-json/tribe/events/v1".
	API string
	// Get answers an anonymous GET of the site's API in process, as the site itself answers it.
	// The path begins below the site's home address.
	Get func(ctx context.Context, pathAndQuery string) (*Answer, error)
}

// Answer is a site's response.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	// NotProven reports that the response is WordPress's to give. The other fields are empty.
	NotProven bool
	// Held has the entries that a list lacks because they are not proven. Only their places are read.
	Held [][]byte
}

// Source lists sites.
type Source interface {
	// Public returns those sites among the wanted ones that the network shows to everybody: public
	// (blog_public), not archived, spam or deleted, with a calendar. leftOut counts the others.
	// Nothing is read of a site that is not wanted. wanted has the ID and the Path of a Site.
	Public(ctx context.Context, wanted func(id int64, path string) bool) (sites []Site, leftOut int, err error)
}

// Config configures a Handler. All fields are required, except Guard and Streaming.
type Config struct {
	Source Source
	// Root is the REST root of the main site with a slash at its end.
	Root string
	// Name is the title of the feeds. Home is the home address of the main site.
	Name, Home string
	Now        func() time.Time
	Log        *slog.Logger
	Guard      *guard.Guard
	// Streaming is required by StreamPath only.
	Streaming *Streaming
}

// Handler answers the endpoints. It is the handler of Path; its methods ICalendar and JSONFeed are
// those of ICalendarPath and JSONFeedPath, Changes that of ChangesPath, and Stream
// that of StreamPath. The caller routes requests to them.
type Handler struct{ Config }

// New returns a Handler.
func New(c Config) *Handler { return &Handler{c} }

// Reasons for which a site does not take part.
const (
	closed    = "closed"
	failed    = "failed"
	notProven = "not_proven"
)

// response is the body of a response.
type response struct {
	Events  []json.RawMessage `json:"events"`
	Sites   []takingPart      `json:"sites"`
	LeftOut leftOut           `json:"left_out"`
	Missing int               `json:"missing"`
	Next    string            `json:"next,omitempty"`
}

// leftOut counts sites by the reason for which they do not take part.
type leftOut struct {
	NotPublic int `json:"not_public"`
	Closed    int `json:"closed"`
	Failed    int `json:"failed"`
	NotProven int `json:"not_proven"`
}

// takingPart is a site whose events a response has.
type takingPart struct {
	shownSite
	// Missing is the number of its events that the response lacks because they are not proven.
	Missing int `json:"missing,omitempty"`
}

type shownSite struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// refusal is an error response in the form of WordPress's REST API.
type refusal struct {
	status int
	body   []byte
	// retryAfter is in seconds, 0 for none. gone is the reason why a token can't be used.
	retryAfter int
	gone       stream.Gone
}

func (r *refusal) Error() string { return fmt.Sprintf("refused with status %d: %s", r.status, r.body) }

// refuse returns a refusal. params names the invalid parameters with the reasons, and may be nil.
func refuse(status int, code, message string, params map[string]string) *refusal {
	data := map[string]any{"status": status}
	if params != nil {
		data["params"] = params
		data["details"] = map[string]string{}
	}
	return &refusal{status: status, body: encode(map[string]any{"code": code, "message": message, "data": data})}
}

// encode returns v as JSON, without escapes for HTML. v always has a JSON form.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

const jsonType = "application/json; charset=UTF-8"

// ServeHTTP answers a request for events. The work ends with the context of the request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, jsonType, func() ([]byte, error) { return h.answer(r.Context(), r.URL.RawQuery) })
}

// serve sends what answer returns.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, contentType string, answer func() ([]byte, error)) {
	body, status := []byte(nil), http.StatusOK
	var err error
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		err = refuse(http.StatusNotFound, "rest_no_route", "No route was found matching the URL and request method.", nil)
	} else {
		body, err = answer()
	}
	if err != nil {
		var refused *refusal
		if !errors.As(err, &refused) {
			h.Log.Warn("the calendar over many sites cannot be answered", "error", err)
			refused = refuse(http.StatusServiceUnavailable, "calbridge_network_unavailable", "The calendar of the network is not available at the moment.", nil)
			w.Header().Set("Retry-After", "5")
		}
		if refused.retryAfter > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(refused.retryAfter))
		}
		status, body, contentType = refused.status, refused.body, jsonType
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Robots-Tag", "noindex")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	api.Write(w, status, body, r.Method == http.MethodHead)
}

// answer returns the body of the response to a query.
func (h *Handler) answer(ctx context.Context, rawQuery string) ([]byte, error) {
	q, err := parse(rawQuery)
	if err != nil {
		return nil, err
	}
	lists, hidden, err := h.lists(ctx, q)
	if err != nil {
		return nil, err
	}
	out := response{Events: []json.RawMessage{}, Sites: []takingPart{}}
	out.LeftOut.NotPublic = hidden
	merged, more, err := merge(ctx, h.Guard, lists, q.perPage)
	if err != nil {
		return nil, err
	}
	var last *key
	if more {
		last = &merged[len(merged)-1].key
	}
	for _, l := range lists {
		switch l.reason {
		case "":
			out.Sites = append(out.Sites, takingPart{shownSite{l.site.ID, l.site.Name, l.site.URL}, l.heldUntil(last)})
			continue
		case closed:
			out.LeftOut.Closed++
		case notProven:
			out.LeftOut.NotProven++
		default:
			out.LeftOut.Failed++
		}
		out.Missing++
		h.Log.Info("a site is left out of the calendar over many sites", "site", l.site.ID, "reason", l.reason, "error", l.err)
	}
	for _, e := range merged {
		if e.list.reason == "" {
			out.Events = append(out.Events, withSite(e.raw, e.list.site))
		}
	}
	if more {
		out.Next = h.Root + Path + "?" + q.following(*last)
	}
	return encode(out), nil
}

// lists returns the lists of the chosen sites, and the number of sites that are not public if all
// public ones are chosen.
func (h *Handler) lists(ctx context.Context, q *query) (lists []*list, hidden int, err error) {
	sites, hidden, err := h.Source.Public(ctx, q.wants)
	if err != nil {
		return nil, 0, fmt.Errorf("list the sites: %w", err)
	}
	if q.sites != nil {
		hidden = 0
		if err := q.complete(sites); err != nil && !q.resumes {
			return nil, 0, err
		}
	}
	lists = make([]*list, len(sites))
	for i := range sites {
		lists[i] = h.newList(&sites[i], q, len(sites))
	}
	return lists, hidden, nil
}

// withSite returns an event with the member site after its own members.
func withSite(event json.RawMessage, s *Site) json.RawMessage { return withMember(event, "site", s) }

// withMember returns an object that is not empty with a description of the site as its last member.
func withMember(event json.RawMessage, name string, s *Site) json.RawMessage {
	event = bytes.TrimSpace(event)
	site := encode(shownSite{s.ID, s.Name, s.URL})
	out := make([]byte, 0, len(event)+len(site)+len(name)+5)
	out = append(out, event[:len(event)-1]...)
	out = append(out, `,"`+name+`":`...)
	out = append(out, site...)
	return append(out, '}')
}

// wants reports whether a query asks for a site.
func (q *query) wants(id int64, path string) bool {
	return q.sites == nil || slices.ContainsFunc(q.sites, func(name string) bool { return isNamed(name, id, path) })
}

// isNamed reports whether a name is the id or the path of a site.
func isNamed(name string, id int64, path string) bool {
	return name == strconv.FormatInt(id, 10) || strings.EqualFold(strings.Trim(name, "/"), strings.Trim(path, "/")) && strings.HasPrefix(name, "/")
}

// complete returns a refusal if none of some sites has one of the names of the query.
func (q *query) complete(sites []Site) error {
	for _, name := range q.sites {
		if !slices.ContainsFunc(sites, func(s Site) bool { return isNamed(name, s.ID, s.Path) }) {
			return invalid("sites", strconv.Quote(name)+" is not the id or the path of a public site.")
		}
	}
	return nil
}

// invalid returns the refusal of a parameter.
func invalid(name, why string) error {
	return refuse(http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): "+name, map[string]string{name: why})
}
