package rollout

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/proof"
	"calbridge/wpstore/guard"
)

// Server is calbridge's own side.
type Server interface {
	http.Handler
	// Answer returns the response to a request before it is sent. Of the writer it uses only the
	// connection, which may be nil.
	Answer(http.ResponseWriter, *http.Request) api.Answered
	// Refuse sends one of calbridge's own errors.
	Refuse(w http.ResponseWriter, r *http.Request, code string)
}

// Config configures a Handler.
type Config struct {
	Plan
	Native Server
	// Upstream is WordPress. Nil requires a Plan that is Alone.
	Upstream *Upstream
	// Client returns the key of a request's client for Plan.Clients.
	Client func(*http.Request) string
	// TrustedProxies are the networks whose X-Forwarded-For and -Proto are used.
	TrustedProxies []netip.Prefix
	// MaxBody bounds forwarded request bodies, in bytes.
	MaxBody int64
	// Judge is required where the Plan compares.
	Judge Judge
	// Prover is required by the mode Auto. In the mode Native it is optional, and decides only about
	// responses with content that calbridge can't render. Settle returns when it has all changes of rows that were
	// committed before; it may be nil.
	Prover *proof.Prover
	Settle func(context.Context) error
	// OrdinaryHeaders are names of request headers that the mode Auto treats as ordinary, in
	// addition to those of IsOrdinary. A name that ends in * stands for all names with that
	// beginning.
	OrdinaryHeaders []string
	Observer        Observer
	Logger          *slog.Logger
	// Guard catches panics while comparing.
	Guard *guard.Guard
	// Closed, if not nil, reports that native responses may show what the site has closed.
	// WordPress then answers everything; without WordPress, requests fail.
	Closed func() bool
	// Own, if not nil, reports that only calbridge can answer a request, because WordPress doesn't
	// have its route. It is answered natively in every mode and for every client, and not compared.
	Own func(*http.Request) bool
	// Limits bound comparing; zero fields are replaced by defaults.
	Limits Limits
}

// Purposes of requests to WordPress.
const (
	ForClient     = "client"     // by the plan
	ForContent    = "content"    // calbridge can't render the contents
	ForPage       = "page"       // only WordPress knows the page
	ForComparison = "comparison" // with calbridge's response
)

// Purposes lists all purposes.
func Purposes() []string { return []string{ForClient, ForContent, ForPage, ForComparison} }

// Asked is one request to WordPress.
type Asked struct {
	Request *http.Request // as it came in
	Purpose string
	Result  string // one of Results
	Status  int    // 0 without a response
	Bytes   int64  // sent to the client
	Took    time.Duration
	Err     error
}

// Observer is called after each event. Its methods are called from several goroutines and
// must not block.
type Observer interface {
	Asked(*Asked)
	// Turned reports that WordPress has answered a GET because calbridge can't render these blocks
	// and shortcodes.
	Turned(notRendered []string)
	Compared(*Compared)
	// Dropped reports that a comparison was not made; reason is one of DropReasons.
	Dropped(reason string)
}

// maxTurned bounds the requests that wait for WordPress because of their contents; calbridge
// answers the others as well as it can.
const maxTurned = 64

// Handler answers requests by plan. It is safe for concurrent use.
type Handler struct {
	Config
	upstream *upstream // nil without
	turning  chan struct{}
	shadow   *shadow // nil where nothing is compared
	auto     *auto   // nil without a Prover
}

// New returns a Handler; the caller closes it.
func New(c Config) (*Handler, error) {
	if err := c.Plan.check(c.Upstream != nil); err != nil {
		return nil, err
	}
	h := &Handler{Config: c, turning: make(chan struct{}, maxTurned)}
	if c.Upstream == nil {
		return h, nil
	}
	var err error
	h.upstream, err = newUpstream(c.Upstream, h.client, c.Logger)
	if err != nil {
		return nil, err
	}
	content := c.Mode == Native && c.Prover != nil
	if c.Plan.Compares() || content {
		if c.Judge == nil {
			return nil, fmt.Errorf("mode %s needs a judge", c.Mode)
		}
		h.shadow = newShadow(h, c.Limits.completed())
		h.shadow.each = h.shadow.compare
	}
	if c.Mode == Auto && c.Prover == nil {
		return nil, fmt.Errorf("mode %s needs a prover", c.Mode)
	}
	if c.Mode == Auto || content {
		h.auto = &auto{h: h, prover: c.Prover, ordinary: NewOrdinaryHeaders(c.OrdinaryHeaders)}
		h.shadow.each = h.auto.prove
	}
	if h.shadow != nil {
		h.shadow.start(c.Limits.completed().Workers)
	}
	return h, nil
}

// Close ends the comparisons. No request may be in flight.
func (h *Handler) Close() {
	if h.shadow != nil {
		h.shadow.close()
	}
	if h.upstream != nil {
		h.upstream.close()
	}
}

// Comparing returns the number of comparisons that are queued or under way.
func (h *Handler) Comparing() int {
	if h.shadow == nil {
		return 0
	}
	return int(h.shadow.open.Load())
}

func (h *Handler) client(r *http.Request) (addr string, https bool) {
	return api.ClientIP(r, h.TrustedProxies)
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get(Marker) != "":
		h.Native.Refuse(w, r, "calbridge_loop")
	case h.upstream != nil && h.Own != nil && h.Own(r):
		if h.Closed != nil && h.Closed() {
			h.Native.Refuse(w, r, "calbridge_site_closed")
			return
		}
		h.Native.ServeHTTP(w, r)
	case h.Closed != nil && h.Closed() && h.Mode != Proxy:
		if h.upstream == nil || !passedOn(r) {
			h.Native.Refuse(w, r, "calbridge_site_closed")
			return
		}
		h.pass(&capture{to: w}, r, ForClient)
	case h.upstream == nil || !passedOn(r):
		h.Native.ServeHTTP(w, r)
	case h.Mode == Proxy || h.Clients < 100 && !h.has(h.Client(r)):
		h.pass(&capture{to: w}, r, ForClient)
	case h.Mode == Auto:
		h.auto.serve(w, r)
	case h.Mode == DiffProxy:
		h.passAndCompare(w, r)
	case h.Mode == DiffNative && h.shadow != nil:
		h.answerAndCompare(w, r)
	default:
		h.answer(w, r)
	}
}

// passedOn reports whether a request may be forwarded to WordPress. CONNECT, TRACE, PRI and the
// like are refused natively, and so are requests without a path.
func passedOn(r *http.Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.RequestURI != "*"
	}
	return false
}

// pass forwards a request to WordPress and reports whether it answered.
func (h *Handler) pass(w *capture, r *http.Request, purpose string) bool {
	if r.ContentLength > h.MaxBody {
		h.Native.Refuse(w, r, "calbridge_too_large")
		return false
	}
	if r.Body != nil {
		r.Body = clientBody{http.MaxBytesReader(w, r.Body, h.MaxBody)}
	}
	err := h.ask(w, r, purpose)
	if err != nil {
		h.refuse(w, r, resultOf(r.Context(), err, 0))
	}
	return err == nil
}

// ask forwards a request and observes it. If it returns an error, nothing has been written.
func (h *Handler) ask(w *capture, r *http.Request, purpose string) (err error) {
	begin := time.Now()
	err = http.ErrAbortHandler // what forward panics with when the response breaks off
	defer func() {
		h.Observer.Asked(&Asked{
			Request: r, Purpose: purpose, Result: resultOf(r.Context(), err, w.status), Status: w.status, Bytes: w.sent, Took: time.Since(begin), Err: err,
		})
	}()
	err = h.upstream.forward(w, r, purpose == ForContent)
	return err
}

// answer answers natively, or through WordPress if calbridge can't render the contents or doesn't
// know the page. It returns what calbridge has sent, nil if WordPress has answered.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request) *api.Summary {
	own := h.Native.Answer(w, r)
	defer own.Close()
	if own.Elsewhere() {
		h.pass(&capture{to: w}, r, ForPage)
		return nil
	}
	names := own.NotRendered()
	if len(names) > 0 && h.auto != nil && h.auto.compose(w, r, own) {
		return nil
	}
	if len(names) > 0 && h.turn(w, r) == nil {
		h.Observer.Turned(names)
		return nil
	}
	own.Send(w)
	if len(names) > 0 { // a comparison would show what is known
		return nil
	}
	return own.Summary()
}

// errTurning is returned when too many requests wait for WordPress.
var errTurning = errors.New("too many requests wait for WordPress")

// turn forwards a request to WordPress. If it returns an error, nothing has been written.
func (h *Handler) turn(w http.ResponseWriter, r *http.Request) error {
	select {
	case h.turning <- struct{}{}:
		defer func() { <-h.turning }()
		return h.ask(&capture{to: w}, r, ForContent)
	default:
		return errTurning
	}
}

// answerAndCompare answers natively and queues a comparison that sends the request to both sides,
// because the client's response may be compressed, or a 304.
func (h *Handler) answerAndCompare(w http.ResponseWriter, r *http.Request) {
	wanted := h.shadow.wants(r)
	if sent := h.answer(w, r); wanted && sent != nil {
		h.shadow.offer(&comparison{request: r, route: sent.Route})
	}
}

// passAndCompare forwards to WordPress and queues a comparison with its response: sending the
// request twice would be slow.
func (h *Handler) passAndCompare(w http.ResponseWriter, r *http.Request) {
	if h.shadow == nil || !h.shadow.wants(r) {
		h.pass(&capture{to: w}, r, ForClient)
		return
	}
	copied := &capture{to: w, limit: h.shadow.maxAnswer}
	begin := time.Now()
	if !h.pass(copied, r, ForClient) {
		return
	}
	theirs := copied.answer(time.Since(begin))
	switch {
	case theirs == nil:
		h.Observer.Dropped(DropTooLarge)
		return
	case theirs.Status == http.StatusNotModified || theirs.Status == http.StatusPartialContent:
		theirs = nil // request the whole response
	}
	h.shadow.offer(&comparison{request: r, theirs: theirs})
}
