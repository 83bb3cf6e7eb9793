package rest

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/i18n"
	"calbridge/rest/answers"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/picture"
	"calbridge/rest/webfetch"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/php"
)

// Config is everything that a Server needs besides the database.
type Config struct {
	// Namespace of the interface, without slashes at its ends.
	Namespace string
	// RESTPrefix is the first path segment of WordPress's REST API: wp-json.
	RESTPrefix string
	// Home and SiteURL replace the options of the same name (WP_HOME, WP_SITEURL).
	Home, SiteURL string
	// ContentURL is WP_CONTENT_URL where wp-config.php defines it.
	ContentURL string
	// Theme holds the facts about the site's theme, which no table tells.
	Theme wptext.Theme
	// DisallowUnfilteredHTML is the constant of wp-config.php.
	DisallowUnfilteredHTML bool
	// WordPress is the version to agree with, such as "6.9"; "" derives it from
	// the database's db_version.
	WordPress string
	// Compat says how far fidelity to the reference's own faults goes.
	Compat Compat
	// NoTrash says that wp-config.php sets EMPTY_TRASH_DAYS to 0: deleted events are
	// gone for good, over which the reference's answer fails.
	NoTrash bool
	// Revisions is how many revisions of a post are kept (WP_POST_REVISIONS): 0 all,
	// less than 0 none.
	Revisions int
	// UploadsDir is the site's uploads folder, where pictures that are named by URL
	// are stored; without it such requests are refused.
	UploadsDir string
	// Fetch gets those pictures; nil is one with the defaults.
	Fetch *webfetch.Client
	// ReadOnly refuses every write.
	ReadOnly bool
	// Profile is the wording recorded off the site; nil leaves ours.
	Profile *Profile
	// Auth holds the constants of wp-config.php that authentication needs.
	Auth AuthConfig
	// TrustedProxies are the peers whose X-Forwarded-Proto and -For count.
	TrustedProxies []netip.Prefix
	// Now is the clock. It must be the one that the store uses.
	Now func() time.Time
	// SiteRefresh is how old the site's options, and what is known of its users,
	// may become before they are read again; 0 reads them for each request.
	SiteRefresh time.Duration
	// RequestTimeout bounds the work on one request, the database's included.
	RequestTimeout time.Duration
	// MaxBody in bytes, MaxVars and MaxDepth bound what a request may carry
	// (PHP's post_max_size, max_input_vars, max_input_nesting_level).
	MaxBody           int64
	MaxVars, MaxDepth int
	Logger            *slog.Logger
	// LanguageParam names the parameter that chooses a language; "" is language_code.
	LanguageParam string
	// Languages are the codes that the interface promises on a site without a
	// language plugin; nil: it has no language parameter.
	Languages []string
	// Ledger hears of changes in the database. With it, answers to anonymous requests
	// and the site's options are kept until they change; nil keeps no answers.
	Ledger *coherence.Ledger
	// CacheBytes bounds the memory that kept answers take.
	CacheBytes uint64
	// Prove, when not nil, returns once the ledger has heard of everything that was
	// committed before the call, or an error; answers are kept, but given out only
	// after that.
	Prove func(ctx context.Context) error
	// Settle, when not nil, is called before a kept answer is looked up: it completes
	// what the ledger has heard of.
	Settle func(ctx context.Context) error
	// CacheControl is the header of that name on answers to anonymous GETs, outside
	// Exact; "" is no-cache: caches ask whether their copy is still good.
	CacheControl string
	// StaticBlocks and Shortcodes are what is known of other plugins; see
	// [wptext.Site].
	StaticBlocks, Shortcodes []string
	// Decline, when not nil, is asked before a GET is answered with a text in which
	// something could not be rendered as the site's own plugins would; see
	// [wptext.RequestState.Unknown] for the names. If it returns true, nothing is
	// written or observed: whoever called ServeHTTP answers.
	Decline func(r *http.Request, notRendered []string) bool
	// Observe, when not nil, is told of each finished request.
	Observe func(*Observation)
	// RenderCache is how many bytes of rendered events are kept, for when their rows
	// have not changed; 0 for none.
	RenderCache int
}

// Compat is the level of fidelity to the reference.
type Compat string

// The levels: exact repeats every fault of the reference, its security holes
// included; safe closes the holes; fixed also mends plain functional faults.
const (
	Exact Compat = "exact"
	Safe  Compat = "safe"
	Fixed Compat = "fixed"
)

// Observation is what metrics and the access log want to know of a request. All
// its texts are bounded sets, never what a client invents, except Path.
type Observation struct {
	Context  context.Context
	Method   string // a known method, or OTHER
	Route    string // template of the matched route, "" when none matched
	Language string // code of the language chosen by URL or parameter, "" for none
	Path     string // as sent, for the log only
	Status   int
	Code     string // code of the error that was answered
	Bytes    int
	Queries  int
	UserID   int64
	Auth     string // scheme of the credentials: none, basic, cookie
	Cache    CacheResult
	Took     time.Duration
	Panicked bool
	Err      error // the internal cause of a failure
	// NotRendered are blocks and shortcodes that the site's own plugins would have
	// rendered otherwise. They come from stored texts.
	NotRendered []string
}

// Server answers the REST namespace. It is safe for concurrent use and keeps no
// state but caches.
type Server struct {
	cfg    Config
	store  *wpstore.DB
	zones  *phpdate.Zones
	words  *wording
	shared *shared
	sites  *siteCache
	limits limits
	fetch  *webfetch.Client
	// answers are kept for the next who asks, nil where nothing is kept.
	answers  *answers.Cache
	compress *answers.Compressor
	// uploads is the folder of pictures, nil where it is not known.
	uploads *picture.Folder

	users    *userCache
	throttle *throttle
	writers  *recentWriters
	// useNotRecorded: the database refuses to note the use of application passwords.
	useNotRecorded atomic.Bool
	// background runs what must not hold up an answer; Close waits for it.
	background sync.WaitGroup
	// events are those written lately, refs what texts were found to refer to, and
	// metadata that of files, unserialized.
	events   recent[eventKey, writtenEvent]
	refs     recent[refsKey, *wptext.Refs]
	metadata recent[wpstore.Digest, php.Value]
}

// Close waits for work that answers have left behind.
func (s *Server) Close() {
	s.background.Wait()
	if s.answers != nil {
		s.answers.Close()
	}
}

// New returns a Server over store. It reads nothing yet.
func New(store *wpstore.DB, cfg Config) *Server {
	s := &Server{
		cfg: cfg, store: store,
		zones:    phpdate.NewZones(),
		words:    newWording(cfg.Profile, "en"),
		shared:   newShared(&cfg),
		limits:   limits{body: cfg.MaxBody, form: phpform.Limits{MaxVars: cfg.MaxVars, MaxDepth: cfg.MaxDepth}},
		compress: answers.NewCompressor(),
	}
	if cfg.Ledger != nil && cfg.CacheBytes > 0 {
		s.answers = answers.New(cfg.Ledger, cfg.CacheBytes)
	}
	if s.fetch = cfg.Fetch; s.fetch == nil {
		s.fetch = webfetch.New(webfetch.Config{})
	}
	if cfg.UploadsDir != "" {
		s.uploads = picture.NewFolder(cfg.UploadsDir)
	}
	s.users = &userCache{now: time.Now, maxAge: cfg.SiteRefresh}
	s.events.limit, s.refs.limit, s.metadata.limit = cfg.RenderCache, keptRefs, cfg.RenderCache/8
	s.throttle = &throttle{now: time.Now, free: cfg.Auth.FreeFailures}
	if cfg.Compat == Exact {
		s.throttle.free = 0
	}
	s.writers = &recentWriters{now: time.Now, remember: store.ReplicaMaxLag() + writeMargin}
	s.sites = newSiteCache(&s.cfg, s.loadSite)
	s.sites.mayKeep = store.HasReplica
	return s
}

func (s *Server) loadSite(ctx context.Context) (*site, error) {
	facts, err := s.store.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	return newSite(facts, &s.cfg, s.zones, s.shared), nil
}

// call is one request on its way through the server.
type call struct {
	ctx context.Context
	srv *Server
	// current: rows in memory are as current as the request needs them.
	current bool
	site    *site
	links   *links
	text    *wptext.Site
	wording *wording
	lang    i18n.Choice
	// foreign: the links of the answer are to another root than the request's, and
	// WordPress does not recognise them as its own.
	foreign bool
	// globalID is what a global id starts with.
	globalID string
	// bareHome: only the parameter lang chose the root, so that ids of new posts
	// show no language.
	bareHome bool
	// answer is what the answer to a write shows differently from the rows.
	answer *writeAnswer
	req    *request
	route  *route
	ep     *endpoint
	now    time.Time
	// timely: the answer depends on now.
	timely bool
	user   *wpcap.User
	// login is how the user was found; freshNonce is sent back when one was accepted.
	login      scheme
	freshNonce string
	// credentials were sent, good or bad.
	credentials bool
	// cookieUser: a valid login cookie was sent, with a nonce good or bad.
	cookieUser bool
	// unlocked: the request wrote the post that it shows, whose password then does
	// not matter.
	unlocked bool
	// postPassCookie unlocks password-protected posts in lists.
	postPassCookie string
	// cookieMatters: a password decided about the answer, so that the cookie could have.
	cookieMatters bool
	// judgedPost is the post with judgedID whose rights were last asked for.
	judgedID   int64
	judgedPost *wpcap.Post
	// slugFound is the post that slugAsked led to.
	slugAsked slugLookup
	slugFound int64
	// termLookups are the look-ups of terms so far, termTrees the taxonomies read.
	termLookups []termLookup
	termTrees   map[string]map[int64]wpstore.Term
	// postGroups are the translations of postsAsked.
	postsAsked []int64
	postGroups map[int64]i18n.Group
	reply      reply
	// modified is the latest change of a post that was loaded for the answer, as stored
	// in UTC; "" where there is none.
	modified string
	// rendering remembers what was met in the texts of the answer.
	rendering []*wptext.RequestState
	// pictures are those that the request names by URL.
	pictures []*linkedPicture
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(r.Context(), s.cfg.RequestTimeout)
	defer cancel()
	k := s.lookUp(ctx, r)
	defer k.release()
	if k.found != nil {
		if !s.declines(r, k.found.Status, k.found.NotRendered) {
			s.giveOut(w, r, k.found, start)
		}
		return
	}
	ctx, queries := wpstore.WithQueryCount(k.collect(ctx))
	c := &call{ctx: ctx, srv: s, wording: s.words, now: s.cfg.Now(), user: wpcap.Anonymous(), current: k.current}
	out := s.answer(c, r)
	if a := k.keep(c, out); a != nil {
		s.answers.Put(k.key, a)
	}
	k.release() // a slow client must not hold up the others
	notRendered := c.notRendered()
	if s.declines(r, out.status, notRendered) {
		return
	}
	n := s.send(w, r, c, out)
	if s.cfg.Observe != nil {
		s.cfg.Observe(&Observation{
			Context: r.Context(), Method: knownMethod(r.Method), Route: c.routeTemplate(), Language: c.languageCode(), Path: r.URL.Path,
			Status: out.status, Code: out.code, Bytes: n, Queries: queries.N(), UserID: c.user.ID, Auth: string(c.login), Cache: k.result,
			Took: time.Since(start), Panicked: out.panicked, Err: out.cause, NotRendered: notRendered,
		})
	}
}

// routeTemplate is the template of the matched route, "" without one.
func (c *call) routeTemplate() string {
	if c.route == nil {
		return ""
	}
	return c.route.template
}

// languageCode is the language that the URL or the parameter chose, "" for none.
func (c *call) languageCode() string {
	if c.lang.Wanted != "" {
		return strings.ToLower(c.lang.Wanted)
	}
	return c.lang.Root
}

// answer runs the request and turns every failure, a panic too, into a reply.
func (s *Server) answer(c *call, r *http.Request) (out *reply) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Logger.Error("panic while answering", "panic", p, "stack", string(debug.Stack()))
			out = &reply{status: http.StatusInternalServerError, panicked: true}
			out.json(fail("calbridge_internal").body(c.wording))
		}
	}()
	err := c.run(r)
	var e *Error
	if err != nil && !errors.Is(err, errNotREST) {
		e = publicError(err)
	}
	switch {
	case errors.Is(err, errNotREST):
		c.reply.notREST()
	case e != nil:
		c.finishError(e)
	}
	return &c.reply
}

// run takes the steps of WordPress's REST server in its order; the first failure
// decides the answer.
func (c *call) run(r *http.Request) error {
	var err error
	if c.site, err = c.srv.sites.get(c.ctx); err != nil {
		return err
	}
	path, rawQuery := splitTarget(r.RequestURI)
	query := phpform.Parse(rawQuery, c.srv.limits.form)
	if c.req, err = parseRequest(r, query, c.srv.limits); err != nil {
		return err
	}
	if c.current && !writes(c.req.method) {
		c.ctx = wpstore.FromMemory(c.ctx)
	}
	c.req.remoteAddr, c.req.https = c.srv.client(r)
	c.wording = c.site.wordingFor("")
	c.links = c.linksFor("")
	c.globalID = c.links.globalID
	c.text = c.site.text[index(c.req.https)]
	restPath, err := c.resolve(path)
	if err != nil {
		return err
	}
	c.reply.start(c)
	if err := c.checkCallback(); err != nil {
		return err
	}
	c.reply.common()
	if err := c.authenticate(r); err != nil {
		return err
	}
	route, name, value := c.matchRoute(restPath)
	if name != "" {
		c.req.captures = &php.Array{}
		c.req.captures.SetString(name, value)
	}
	if c.req.method == http.MethodOptions {
		return c.options(route)
	}
	if route == nil || route.endpoint(c.req.method) == nil {
		return fail("rest_no_route")
	}
	c.route, c.ep = route, route.endpoint(c.req.method)
	return c.dispatch()
}

// dispatch runs a matched endpoint: body syntax, arguments, permission, handler.
func (c *call) dispatch() error {
	if e := c.req.jsonErr; e != nil {
		err := fail("rest_invalid_json")
		err.Data = &php.Array{}
		err.Data.SetString("json_error_code", int64(e.Code))
		err.Data.SetString("json_error_message", e.Message)
		return err
	}
	c.chooseServer()
	if err := c.checkArgs(); err != nil {
		return err
	}
	c.chooseLanguage()
	if c.ep.allowed != nil {
		ok, err := c.ep.allowed(c)
		if err != nil {
			return err
		}
		if !ok {
			return c.forbidden()
		}
	}
	res, err := c.ep.handle(c)
	if writes(c.req.method) {
		c.forgetPosts()
		c.srv.writers.wrote(c.req.remoteAddr)
	}
	if err != nil {
		return err
	}
	return c.finish(res)
}

// forbidden is 401 for anonymous clients and 403 for known ones.
func (c *call) forbidden() *Error {
	e := fail("rest_forbidden")
	if c.user.ID == 0 {
		e.Status = http.StatusUnauthorized
	}
	return e
}

func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}
