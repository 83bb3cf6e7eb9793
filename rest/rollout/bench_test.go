package rollout

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"calbridge/rest/api"
)

// instant answers at once.
type instant struct{ body []byte }

func (i instant) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(i.body)
}

// Answer implements Server.
func (i instant) Answer(http.ResponseWriter, *http.Request) api.Answered { return instantAnswer(i) }

// instantAnswer is a response of instant.
type instantAnswer struct{ body []byte }

func (i instantAnswer) Replace([]byte)                   {}
func (i instantAnswer) Limit(api.Storing)                {}
func (i instantAnswer) Summary() *api.Summary            { return &api.Summary{Route: "/events"} }
func (i instantAnswer) NotRendered() []string            { return nil }
func (i instantAnswer) Elsewhere() bool                  { return false }
func (i instantAnswer) Send(w http.ResponseWriter)       { instant(i).ServeHTTP(w, nil) }
func (i instantAnswer) Copy(w http.ResponseWriter) error { i.Send(w); return nil }
func (i instantAnswer) Close()                           {}

func (i instant) Refuse(http.ResponseWriter, *http.Request, string) {}

// nobody ignores all events.
type nobody struct{ notes }

func (*nobody) Asked(*Asked)       {}
func (*nobody) Turned([]string)    {}
func (*nobody) Compared(*Compared) {}
func (*nobody) Dropped(string)     {}

// BenchmarkHandler measures what a plan costs a request, besides the response itself.
// With the hanging upstream the queue of comparisons is full.
//
//	go test -run - -bench Handler ./rest/rollout
func BenchmarkHandler(b *testing.B) {
	hang := make(chan struct{})
	wp := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	defer wp.Close()
	defer close(hang)
	for _, c := range []struct {
		name     string
		plan     Plan
		upstream *Upstream
	}{
		{"native alone", Plan{Mode: Native, Clients: 100}, nil},
		{"native", Plan{Mode: Native, Clients: 100}, &Upstream{URL: wp.URL, Timeout: time.Minute}},
		{"diff-native hanging", Plan{Mode: DiffNative, Clients: 100, Compared: 100}, &Upstream{URL: wp.URL, Timeout: time.Minute}},
		{"diff-native 99 hanging", Plan{Mode: DiffNative, Clients: 99.999, Compared: 100}, &Upstream{URL: wp.URL, Timeout: time.Minute}},
	} {
		b.Run(c.name, func(b *testing.B) {
			h, err := New(Config{
				Plan: c.plan, Native: instant{make([]byte, 6<<10)}, Upstream: c.upstream, Judge: &nobody{}, Observer: &nobody{}, Logger: slog.New(slog.DiscardHandler),
				Client: func(r *http.Request) string { return r.RemoteAddr },
			})
			if err != nil {
				b.Fatal(err)
			}
			defer h.Close()
			r := httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/events/10001", nil)
			w := httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				w.Body.Reset()
				h.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkJudge measures looking at the headers of a browser's request.
//
//	go test -run - -bench Judge ./rest/rollout
func BenchmarkJudge(b *testing.B) {
	o, h := NewOrdinaryHeaders(nil), browser()
	b.ReportAllocs()
	for b.Loop() {
		o.judge(h)
	}
}
