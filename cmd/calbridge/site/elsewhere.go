package site

import (
	"log/slog"
	"net/http"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/phpjson"
	"calbridge/rest/rollout"
)

// OpenElsewhere returns a handler that passes all requests on to WordPress, for those that no site of
// several answers. It returns nil without --upstream. The caller closes it.
func OpenElsewhere(s *settings.Settings, logger *slog.Logger, m *metrics.Metrics) (*rollout.Handler, error) {
	if s.Rollout.Upstream.URL == "" {
		return nil, nil
	}
	return rollout.New(rollout.Config{
		Plan: rollout.Plan{Mode: rollout.Proxy, Clients: 100}, Native: nobody{api.NewWording(nil, "en", nil)}, Upstream: &s.Rollout.Upstream,
		Client: httpserver.ByAddress(s.Listen.TrustedProxies), TrustedProxies: s.Listen.TrustedProxies, MaxBody: s.Limits.MaxBody,
		Observer: observer{nil, m.Rollout, m.Requests, logger, &unknownNames{}}, Logger: logger, Guard: newGuard(logger, m),
	})
}

// nobody is calbridge's own side where it has no site. It implements rollout.Server.
type nobody struct{ words *api.Wording }

// ServeHTTP implements http.Handler.
func (n nobody) ServeHTTP(w http.ResponseWriter, r *http.Request) { n.Refuse(w, r, "rest_no_route") }

// Answer implements rollout.Server. A handler that passes everything on doesn't call it.
func (n nobody) Answer(http.ResponseWriter, *http.Request) api.Answered {
	panic("a request for no site can't be answered natively")
}

// Refuse implements rollout.Server.
func (n nobody) Refuse(w http.ResponseWriter, _ *http.Request, code string) { Refuse(w, n.words, code) }

// Refuse answers with an error of the API where no site answers.
func Refuse(w http.ResponseWriter, words *api.Wording, code string) {
	e := api.Fail(code)
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.WriteHeader(e.Status)
	_, _ = w.Write(phpjson.Append(nil, e.Body(words)))
}
