package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"golang.org/x/sync/semaphore"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// Limits are PHP's bounds on requests. Those of forms hold for JSON too.
type Limits struct {
	Body int64 // bytes, post_max_size
	Form phpform.Limits
}

const (
	// freeBody, in bytes, is the size up to which a body is not counted. The number of connections
	// bounds such bodies, and large ones can't hold them up.
	freeBody = 64 << 10
	// bodyCost is the number of copies of a body in memory: as sent, and decoded.
	bodyCost = 2
)

// Bodies reads request bodies. All large ones in progress share one budget of memory, of which
// requests without a user get half. It is safe for concurrent use.
type Bodies struct {
	limits         Limits
	all, anonymous *semaphore.Weighted
}

// NewBodies returns a budget for two bodies of the largest size.
func NewBodies(limits Limits) *Bodies {
	one := bodyCost * limits.Body
	return &Bodies{limits: limits, all: semaphore.NewWeighted(2 * one), anonymous: semaphore.NewWeighted(one)}
}

// Body is the body of one request. It is read when it is first needed, and its memory counts until
// Release. It is not safe for concurrent use.
type Body struct {
	bodies *Bodies
	r      *http.Request

	read, parsed bool
	text         string
	err          error // of reading or parsing

	held, heldAnonymous int64 // of the budgets
}

// Of returns the body of r.
func (b *Bodies) Of(r *http.Request) *Body { return &Body{bodies: b, r: r} }

// Release returns the memory to the budget.
func (b *Body) Release() {
	if b == nil {
		return
	}
	b.bodies.all.Release(b.held)
	b.bodies.anonymous.Release(b.heldAnonymous)
	b.held, b.heldAnonymous, b.text = 0, 0, ""
}

// Form sets the form of req. It is needed before route and user are known, as both may
// be in it. Only methods that write have a form. PHP itself parses it for a real POST
// alone; for the other methods WordPress parses urlencoded bodies, and bodies without a
// type.
func (b *Body) Form(ctx context.Context, req *Request) error {
	if b.r.ContentLength > b.bodies.limits.Body {
		return Fail("calbridge_too_large")
	}
	if req.RealMethod == http.MethodGet || !Writes(req.Method) {
		return nil
	}
	contentType := req.Header.Get("Content-Type")
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	multipart := media == "multipart/form-data" && req.RealMethod == http.MethodPost
	if !multipart && media != "application/x-www-form-urlencoded" && (media != "" || req.RealMethod == http.MethodPost) {
		return nil
	}
	text, err := b.load(ctx, true)
	switch {
	case err != nil:
		return err
	case text == "":
	case multipart:
		// A body that PHP could not split gives no fields, and no error.
		req.Form, _ = phpform.ParseMultipart([]byte(text), phpform.Boundary(contentType), b.bodies.limits.Form)
	default:
		req.Form = phpform.Parse(text, b.bodies.limits.Form)
	}
	return nil
}

// JSON sets the JSON parameters of req, or its JSONErr, unless it has already done so. It returns
// an error if the body can't be read or exceeds the limits.
func (b *Body) JSON(ctx context.Context, req *Request, anonymous bool) error {
	if b.parsed || !jsonType.MatchString(req.Header.Get("Content-Type")) {
		return b.err
	}
	b.parsed = true
	text, err := b.load(ctx, anonymous)
	if err != nil || text == "" {
		return err
	}
	form := b.bodies.limits.Form.Completed()
	v, err := phpjson.DecodeWithin(text, phpjson.Limits{Values: form.MaxVars, Depth: form.MaxDepth + 1})
	switch {
	case errors.Is(err, phpjson.ErrTooMany):
		b.err = Fail("calbridge_too_large").Because(err)
		return b.err
	case errors.As(err, &req.JSONErr):
		return nil
	}
	list, isArray := v.(*php.Array)
	if v != nil && !isArray {
		list = php.List(v)
	}
	req.JSON = list
	return nil
}

// load reads the body; "0" counts as none.
func (b *Body) load(ctx context.Context, anonymous bool) (string, error) {
	if b.read || b.r.Body == nil || b.r.Body == http.NoBody {
		return b.text, b.err
	}
	b.read = true
	limit := b.bodies.limits.Body
	in := http.MaxBytesReader(nil, b.r.Body, limit)
	free := int64(freeBody)
	if b.r.ContentLength > 0 { // less memory to copy
		free = min(free, b.r.ContentLength+1)
	}
	var text strings.Builder
	_, err := io.CopyN(&text, in, free)
	if err == nil {
		size := limit
		if b.r.ContentLength > 0 {
			size = b.r.ContentLength
		}
		if b.err = b.acquire(ctx, bodyCost*size, anonymous); b.err != nil {
			return "", b.err
		}
		text.Grow(int(max(b.r.ContentLength, 0))) // in one step: the sum of several would be twice as much
		_, err = io.Copy(&text, in)
	}
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		b.err = Fail("calbridge_too_large")
	case err != nil && !errors.Is(err, io.EOF):
		b.err = Fail("calbridge_bad_body").Because(err)
	case text.String() != "0":
		b.text = text.String()
	}
	return b.text, b.err
}

// acquire waits for the budget, as long as the request may take.
func (b *Body) acquire(ctx context.Context, weight int64, anonymous bool) error {
	err := error(nil)
	if anonymous {
		if err = b.bodies.anonymous.Acquire(ctx, weight); err == nil {
			b.heldAnonymous = weight
		}
	}
	if err == nil {
		if err = b.bodies.all.Acquire(ctx, weight); err == nil {
			b.held = weight
			return nil
		}
	}
	e := Fail("calbridge_busy").Because(err)
	e.RetryAfter = 2
	return e
}
