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
)

// Server is calbridge's own side.
type Server interface {
	http.Handler
	// Refuse answers with one of calbridge's own errors.
	Refuse(w http.ResponseWriter, r *http.Request, code string)
}

// Config is everything that a Handler needs.
type Config struct {
	Plan
	Native Server
	// Upstream is WordPress; nil where there is none, which needs a Plan that is
	// alone.
	Upstream *Upstream
	// Client names a request's client for Plan.Clients.
	Client func(*http.Request) string
	// TrustedProxies are the peers whose X-Forwarded-Proto and -For count.
	TrustedProxies []netip.Prefix
	// MaxBody bounds the request bodies that are passed on, in bytes.
	MaxBody int64
	// Judge compares; it is needed where the Plan compares.
	Judge Judge
	// Observer is told what happens.
	Observer Observer
	Logger   *slog.Logger
	// Limits bound what comparing costs; zero fields stand for defaults.
	Limits Limits
}

// Purposes of asking WordPress.
const (
	// ForClient: the plan has WordPress answer.
	ForClient = "client"
	// ForContent: calbridge cannot render what the answer shows.
	ForContent = "content"
	// ForComparison: its answer is compared with the one that was given.
	ForComparison = "comparison"
)

// Purposes lists all purposes.
func Purposes() []string { return []string{ForClient, ForContent, ForComparison} }

// Asked is one request to WordPress.
type Asked struct {
	Request *http.Request // as it came in
	Purpose string
	Result  string // one of Results
	Status  int    // 0 without an answer
	Bytes   int64  // sent to the client
	Took    time.Duration
	Err     error
}

// Observer is told what a Handler does. Its methods are called from several
// goroutines and must not block.
type Observer interface {
	Asked(*Asked)
	// Turned is told of a GET that WordPress has answered because calbridge cannot
	// render these blocks and shortcodes.
	Turned(notRendered []string)
	// Compared is told of one comparison.
	Compared(*Compared)
	// Dropped is told of one that was not made; reason is one of DropReasons.
	Dropped(reason string)
}

// maxTurned bounds the requests that wait for WordPress although calbridge has an
// answer of its own, if a lesser one.
const maxTurned = 64

// Handler answers requests by plan. It is safe for concurrent use.
type Handler struct {
	Config
	upstream *upstream // nil without
	turning  chan struct{}
	shadow   *shadow // nil where nothing is compared
}

// New returns a Handler, which has to be closed.
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
	if c.Plan.Compares() {
		if c.Judge == nil {
			return nil, fmt.Errorf("mode %s needs somebody to compare", c.Mode)
		}
		h.shadow = newShadow(h, c.Limits.completed())
	}
	return h, nil
}

// Close ends the comparisons. No request may be under way any more.
func (h *Handler) Close() {
	if h.shadow != nil {
		h.shadow.close()
	}
	if h.upstream != nil {
		h.upstream.close()
	}
}

func (h *Handler) client(r *http.Request) (addr string, https bool) {
	return api.ClientIP(r, h.TrustedProxies)
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get(Marker) != "":
		h.Native.Refuse(w, r, "calbridge_loop")
	case h.upstream == nil:
		h.Native.ServeHTTP(w, r)
	case h.Mode == Proxy || h.Clients < 100 && !h.has(h.Client(r)):
		h.pass(&capture{to: w}, r)
	case h.Mode == DiffProxy:
		h.passAndCompare(w, r)
	case h.Mode == DiffNative && h.shadow != nil:
		h.answerAndCompare(w, r)
	default:
		h.answer(w, r)
	}
}

// pass has WordPress answer, and says whether it did.
func (h *Handler) pass(w *capture, r *http.Request) bool {
	if r.ContentLength > h.MaxBody {
		h.Native.Refuse(w, r, "calbridge_too_large")
		return false
	}
	if r.Body != nil {
		r.Body = http.MaxBytesReader(w, r.Body, h.MaxBody)
	}
	err := h.ask(w, r, ForClient)
	if err != nil {
		h.refuse(w, r, err, resultOf(r.Context(), err))
	}
	return err == nil
}

// ask passes a request on and observes it. When it fails, nothing has been written.
func (h *Handler) ask(w *capture, r *http.Request, purpose string) (err error) {
	begin, broken := time.Now(), true
	defer func() { // also when the answer breaks off, which is a panic
		a := &Asked{Request: r, Purpose: purpose, Result: ResultAnswered, Status: w.status, Bytes: w.sent, Took: time.Since(begin), Err: err}
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			a.Result = ResultTooLarge
		case errors.Is(err, errFailed):
			a.Result = ResultFailed
		case err != nil || broken:
			a.Result = resultOf(r.Context(), err)
		case w.status >= http.StatusInternalServerError:
			a.Result = ResultFailed
		}
		h.Observer.Asked(a)
	}()
	err = h.upstream.forward(w, r, purpose == ForContent)
	broken = false
	return err
}

// answer has calbridge answer, or WordPress where calbridge cannot do so
// faithfully. It returns what calbridge observed, nil where its answer is not to
// be compared.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request) (observed *api.Observation) {
	own := &run{mayDecline: true}
	h.Native.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), runKey{}, own)))
	if own.declined == nil {
		return &own.observed
	}
	if h.turn(w, r) {
		h.Observer.Turned(own.declined)
		return nil
	}
	own.mayDecline, own.declined = false, nil
	h.Native.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), runKey{}, own)))
	return nil
}

// turn has WordPress answer, unless it fails or too many wait for it.
func (h *Handler) turn(w http.ResponseWriter, r *http.Request) (answered bool) {
	select {
	case h.turning <- struct{}{}:
		defer func() { <-h.turning }()
		return h.ask(&capture{to: w}, r, ForContent) == nil
	default:
		return false
	}
}

// answerAndCompare has calbridge answer, and both sides asked afterwards: what the
// client got may be packed, or but a word that its copy is still good.
func (h *Handler) answerAndCompare(w http.ResponseWriter, r *http.Request) {
	wanted := h.shadow.wants(r)
	if observed := h.answer(w, r); wanted && observed != nil {
		h.shadow.offer(&comparison{request: r, route: observed.Route})
	}
}

// passAndCompare has WordPress answer, which takes it long enough, and calbridge
// asked afterwards.
func (h *Handler) passAndCompare(w http.ResponseWriter, r *http.Request) {
	if h.shadow == nil || !h.shadow.wants(r) {
		h.pass(&capture{to: w}, r)
		return
	}
	kept := &capture{to: w, limit: h.shadow.maxAnswer}
	begin := time.Now()
	if !h.pass(kept, r) {
		return
	}
	theirs := kept.answer(time.Since(begin))
	switch {
	case theirs == nil:
		h.Observer.Dropped(DropTooLarge)
		return
	case theirs.Status == http.StatusNotModified || theirs.Status == http.StatusPartialContent:
		theirs = nil // to be asked for as a whole
	}
	h.shadow.offer(&comparison{request: r, theirs: theirs})
}

// run is one asking of calbridge's own side.
type run struct {
	// mayDecline: WordPress can be asked instead.
	mayDecline bool
	// unseen: no client waits, so that it counts nowhere.
	unseen   bool
	declined []string
	observed api.Observation
}

type runKey struct{}

// Observe takes note of an answer of calbridge's own; it belongs into
// rest.Config.Observe. It says whether a client was answered, or else the answer
// was for comparison only.
func Observe(o *api.Observation) (forClient bool) {
	own, _ := o.Context.Value(runKey{}).(*run)
	if own == nil {
		return true
	}
	own.observed = *o
	return !own.unseen
}

// Decline takes note of what calbridge cannot render; it belongs into
// rest.Config.Decline.
func Decline(r *http.Request, notRendered []string) bool {
	own, _ := r.Context().Value(runKey{}).(*run)
	if own == nil || !own.mayDecline {
		return false
	}
	own.declined = notRendered
	return true
}
