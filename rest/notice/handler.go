package notice

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// maxReplays is more messages than a busy site sends within DefaultWindow.
const maxReplays = 1 << 16

// Handler receives the notices of the companion plugin.
type Handler struct {
	secret  func() string
	apply   func(Notice)
	refused func(reason string)
	now     func() time.Time
	replays *replays
}

// NewHandler returns a Handler. secret returns the current secret; while it is too short, nothing
// is received. apply is called with each valid notice, before the response; it should be quick.
// refused is called with the reason of each refusal: "secret", "method", "size", "signature",
// "clock", "replay" or "body".
func NewHandler(secret func() string, apply func(Notice), refused func(reason string)) *Handler {
	return &Handler{secret, apply, refused, time.Now, newReplays(maxReplays)}
}

// ServeHTTP answers 204 when the notice has been applied.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	n, code, reason, err := h.receive(w, r)
	if err != nil {
		h.refused(reason)
		http.Error(w, err.Error(), code)
		return
	}
	h.apply(n)
	w.WriteHeader(http.StatusNoContent)
}

// receive returns the notice of a request, or why it is refused.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) (n Notice, code int, reason string, err error) {
	secret := h.secret()
	if checkSecret(secret) != nil {
		return n, http.StatusNotFound, "secret", errors.New("no notices are received here: set --companion-secret, with at least 32 characters")
	}
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return n, http.StatusMethodNotAllowed, "method", errors.New("notices are sent with POST")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	if err != nil {
		return n, http.StatusRequestEntityTooLarge, "size", errors.New("the notice is too large or was cut off")
	}
	now := h.now()
	nonce, signed, err := verify(r.Header, secret, noticeToCalbridge, now, DefaultWindow, body)
	switch {
	case errors.Is(err, ErrClock):
		return n, http.StatusUnauthorized, "clock", err
	case err != nil:
		return n, http.StatusUnauthorized, "signature", err
	case !h.replays.first(nonce, signed, now.Add(-DefaultWindow).Unix()):
		return n, http.StatusConflict, "replay", ErrReplay
	}
	n, err = Decode(body)
	return n, http.StatusBadRequest, "body", err
}
