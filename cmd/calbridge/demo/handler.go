package demo

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/rest/api"
)

// These paths belong to the page.
const (
	filesPath    = "/demo/"
	requestsPath = filesPath + "requests/"
	uploadsPath  = "/wp-content/uploads/"
)

// The page sends these headers with its requests to the API.
const (
	tokenHeader   = "X-Demo-Token"
	requestHeader = "X-Demo-Request"
)

// FrontConfig configures a Front.
type FrontConfig struct {
	User, Password string // the administrator and an application password
	Path           string // path of the API, such as /wp-json/calendar/events/v1
	// Addr is the listener's address. The page may write only if Addr is a loopback address
	// and the Host header names one, so that no other page can make the browser write.
	Addr net.Addr
	// Extended reports that calbridge's own routes are served, such as feeds and the API's page.
	Extended bool
	Console  string           // URL of the console, "" without one
	Now      func() time.Time // the time around which the sample's events take place
}

// Front serves the page in front of the API.
type Front struct {
	FrontConfig
	token    string // new at each start; requests with it may write
	loopback bool
	seen     seen
}

// NewFront returns a Front with a new token.
func NewFront(c FrontConfig) *Front {
	return &Front{FrontConfig: c, token: rand.Text(), loopback: httpserver.IsLoopback(c.Addr.String())}
}

// Observe records how a request of the page was answered. It must be called for all requests.
func (f *Front) Observe(o *api.Observation) {
	if id, ok := o.Context.Value(requestKey{}).(string); ok {
		f.seen.add(id, o)
	}
}

type requestKey struct{}

// pageData holds the values in index.html.
type pageData struct {
	FrontConfig
	Token string // "" if the page may not write
	Now   string
}

//go:embed page
var page embed.FS

// Handler serves the page's own paths and passes all other requests to next.
func (f *Front) Handler(next http.Handler) http.Handler {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // cannot fail, since the folder is embedded
	}
	index := template.Must(template.ParseFS(files, "index.html"))
	own := http.NewServeMux()
	own.Handle("GET "+filesPath, http.StripPrefix(filesPath, http.FileServerFS(files)))
	own.HandleFunc("GET "+requestsPath+"{id}", f.answerSeen)
	own.HandleFunc("GET "+uploadsPath, answerPicture)
	own.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		shown := pageData{FrontConfig: f.FrontConfig, Now: f.Now().Format(time.RFC3339)}
		if f.mayWrite(r) {
			shown.Token = f.token
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = index.Execute(w, shown) // an error means that the client closed the connection
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ours := r.URL.Path == "/" && r.URL.RawQuery == "" || strings.HasPrefix(r.URL.Path, filesPath) || strings.HasPrefix(r.URL.Path, uploadsPath)
		if ours {
			httpserver.SecurePage(w.Header())
			own.ServeHTTP(w, r)
			return
		}
		if id := r.Header.Get(requestHeader); id != "" && len(id) <= maxID {
			r = r.WithContext(context.WithValue(r.Context(), requestKey{}, id))
		}
		token := r.Header.Get(tokenHeader)
		r.Header.Del(tokenHeader)
		if subtle.ConstantTimeCompare([]byte(token), []byte(f.token)) == 1 && f.mayWrite(r) {
			r.Header.Del("Cookie")
			r.SetBasicAuth(f.User, f.Password)
		}
		next.ServeHTTP(w, r)
	})
}

// mayWrite reports whether a request reached a loopback listener under a loopback name.
func (f *Front) mayWrite(r *http.Request) bool {
	return f.loopback && httpserver.IsLoopback(r.Host)
}

func (f *Front) answerSeen(w http.ResponseWriter, r *http.Request) {
	one, ok := f.seen.find(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(one) // an error means that the client closed the connection
}

// A page requests what was recorded about a request immediately after it.
const (
	maxSeen = 64
	maxID   = 40
)

// answered describes how a request was answered.
type answered struct {
	ID      string  `json:"-"`
	Source  string  `json:"source"` // memory, rows or database
	Queries int     `json:"queries"`
	Took    float64 `json:"ms"`
}

// seen holds the latest requests of pages.
type seen struct {
	mu   sync.Mutex
	list []answered
}

func (s *seen) add(id string, o *api.Observation) {
	one := answered{ID: id, Source: "database", Queries: o.Queries, Took: float64(o.Took.Microseconds()) / 1000}
	switch {
	case o.Cache == api.CacheHit:
		one.Source = "memory" // the response was cached
	case o.Queries == 0:
		one.Source = "rows" // all rows that it was rendered from were cached
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == maxSeen {
		s.list = append(s.list[:0], s.list[1:]...)
	}
	s.list = append(s.list, one)
}

func (s *seen) find(id string) (answered, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		if one.ID == id {
			return one, true
		}
	}
	return answered{}, false
}
