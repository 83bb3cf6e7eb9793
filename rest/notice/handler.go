package notice

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// defaultReplays remembers more messages than a busy site sends within the window.
const defaultReplays = 1 << 16

// HandlerOptions say how notices of WordPress are received.
type HandlerOptions struct {
	// Secret is the one that the plugin signs with, at least [MinSecret] bytes.
	Secret string
	// Apply is called with each good notice, before the answer; it should be quick.
	Apply func(context.Context, Notice)
	// Refused, if set, is called with the reason of each refusal: "method", "size",
	// "signature", "clock", "replay" or "body".
	Refused func(reason string)
	// Clock is time.Now if nil.
	Clock func() time.Time
	// Window is [DefaultWindow] if zero.
	Window time.Duration
	// Replays is how many messages are remembered; 65536 if zero.
	Replays int
}

// Handler takes the notices of the companion plugin.
type Handler struct {
	HandlerOptions
	replays *replays
}

// NewHandler returns a Handler, or an error if the secret is too short.
func NewHandler(o HandlerOptions) (*Handler, error) {
	if err := checkSecret(o.Secret); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Window <= 0 {
		o.Window = DefaultWindow
	}
	if o.Replays <= 0 {
		o.Replays = defaultReplays
	}
	if o.Refused == nil {
		o.Refused = func(string) {}
	}
	return &Handler{o, newReplays(o.Replays)}, nil
}

// ServeHTTP answers 204 when the notice has been applied.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		h.refuse(w, http.StatusMethodNotAllowed, "method", errors.New("notices are sent with POST"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		h.refuse(w, http.StatusRequestEntityTooLarge, "size", errors.New("the notice is too large or was cut off"))
		return
	}
	now := h.Clock()
	nonce, signed, err := verify(r.Header, h.Secret, noticeToCalbridge, now, h.Window, body)
	if errors.Is(err, ErrClock) {
		h.refuse(w, http.StatusUnauthorized, "clock", err)
		return
	}
	if err != nil {
		h.refuse(w, http.StatusUnauthorized, "signature", err)
		return
	}
	if !h.replays.first(nonce, signed, now.Add(-h.Window).Unix()) {
		h.refuse(w, http.StatusConflict, "replay", ErrReplay)
		return
	}
	n, err := Decode(body)
	if err != nil {
		h.refuse(w, http.StatusBadRequest, "body", err)
		return
	}
	// WordPress does not wait for the answer: its hanging up must not stop the work.
	h.Apply(context.WithoutCancel(r.Context()), n)
	w.WriteHeader(http.StatusNoContent)
}

func (h *Handler) refuse(w http.ResponseWriter, code int, reason string, err error) {
	h.Refused(reason)
	http.Error(w, err.Error(), code)
}
