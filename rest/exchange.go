package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/login"
	"calbridge/rest/phpform"
	"calbridge/rest/picture"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// exchange is a request in the pipeline, whose steps fill it in.
type exchange struct {
	// caughtUp and current are copied from its [respcache.Lookup].
	caughtUp, current bool
	// wrote reports that the client has written lately, perhaps through another process.
	wrote bool
	// export is the template of a request for an iCalendar export, "" for any other request.
	export string
	// beside reports that the request is for another API than The Events Calendar's.
	beside bool

	session  *sitedb.Session
	identity login.Identity
	req      wprest.Request
	body     *api.Body
	// answer is the part of the response that is fixed before the handler runs.
	answer prelude

	// req points to these.
	place    wpsite.Place
	viewer   authz.Viewer
	clock    api.Clock
	lookups  calendar.Lookups
	pictures picture.Named
}

func newExchange(s *Server, session *sitedb.Session, caughtUp, current bool) *exchange {
	x := &exchange{session: session, caughtUp: caughtUp, current: current, identity: login.Nobody(), place: wpsite.Place{Words: s.words}, clock: api.Clock{At: s.cfg.Now()}}
	x.viewer.User = x.identity.User
	if caughtUp {
		session.CaughtUp()
	}
	x.req = wprest.Request{
		Place: &x.place, Viewer: &x.viewer, Clock: &x.clock, Store: storesOf(session), Lookups: &x.lookups, Pictures: &x.pictures, PageCap: s.cfg.PageCap,
		Apart: func(ctx context.Context) calendar.Stores { return storesOf(session.Apart(ctx)) },
	}
	return x
}

// arrive sets the request and its site.
func (x *exchange) arrive(req *api.Request, live *liveSite, pictures *picture.Source) {
	x.req.Request, x.req.Table = req, live.tables[0]
	x.place = live.Place(req.HTTPS)
	x.viewer.Site = live.Site
	x.lookups = calendar.NewLookups(x.req.Store, live.Site)
	x.pictures = picture.NewNamed(pictures, &x.session.Posts, &x.viewer, &x.place, x.clock.At)
}

// template returns the template of the matched route, "" without one. Behind other namespaces than
// that of The Events Calendar's API it begins with the namespace.
func (x *exchange) template() string {
	if x.export != "" {
		return x.export
	}
	if x.req.Route == nil {
		return ""
	}
	if x.beside {
		return x.req.Table.Path(x.req.Route)
	}
	return x.req.Route.Template
}

// answer runs the steps and turns every failure, including a panic, into a response.
func (s *Server) answer(ctx context.Context, x *exchange, r *http.Request) (res *api.Response) {
	defer func() {
		x.body.Release()
		if s.cfg.Guard.Caught("answering", recover()) != nil {
			res = bareError(api.Fail("calbridge_internal"), x.place.Words)
			res.Panicked, res.HeadOnly = true, x.headOnly()
		}
	}()
	res, err := s.run(ctx, x, r)
	if err != nil {
		return s.refusal(ctx, x, publicError(ctx, err))
	}
	return res
}

// publicError returns [api.PublicError], except for failures because the client has closed the
// connection. They have a code of their own, which does not count as a failure of the server.
func publicError(ctx context.Context, err error) *api.Error {
	if errors.Is(ctx.Err(), context.Canceled) && errors.Is(err, context.Canceled) {
		return api.Fail("calbridge_client_gone").Because(err)
	}
	return api.PublicError(err)
}

// headOnly reports whether the response has no body.
func (x *exchange) headOnly() bool {
	return x.req.Request != nil && x.req.Method == http.MethodHead
}

// run takes the steps of WordPress's REST server in its order. The first failure decides
// the response.
func (s *Server) run(ctx context.Context, x *exchange, r *http.Request) (*api.Response, error) {
	live, err := s.sites.get(ctx, x.session, x.caughtUp)
	if err != nil {
		return nil, err
	}
	live = live.answering(r)
	path, rawQuery := api.SplitTarget(r.RequestURI)
	req, err := api.Parse(r, phpform.Parse(rawQuery, s.limits.Form))
	if err != nil {
		if !s.cfg.Compat.Exact() {
			return nil, api.Fail("rest_invalid_param", "params", "_method")
		}
		return nil, err
	}
	x.body = s.bodies.Of(r)
	if err := x.body.Form(ctx, req); err != nil {
		return nil, err
	}
	req.ClientIP, req.HTTPS = s.client(r)
	x.wrote = s.cfg.OwnWrites > 0 && hasWritten(r)
	x.arrive(req, live, s.pictures)
	if res, err := s.closed(ctx, x); res != nil || err != nil {
		return res, err
	}
	switch {
	case !api.Writes(req.Method):
		if x.current {
			x.session.AllowCache()
		}
	case x.caughtUp && s.cfg.Complete && s.cfg.Tracker != nil:
		x.session.AllowRows()
	}
	restPath, isREST, err := resolve(req, &x.place, path)
	if err != nil {
		return nil, err
	}
	if !isREST {
		return s.page(ctx, x, live, path, rawQuery)
	}
	if err := x.answer.begin(req, &x.place); err != nil {
		return nil, err
	}
	table, route, name, value := matchRoute(live.tables, restPath)
	x.req.Table = cmp.Or(table, x.req.Table)
	x.beside = x.req.Table != live.tables[0]
	if route == nil || !route.Anonymous {
		x.identity, err = s.login.Identify(ctx, x.session, req, live.Site, x.clock.At, x.caughtUp)
		x.viewer.User, x.viewer.PostPassCookie = x.identity.User, x.identity.PostPassCookie
	}
	if x.identity.SetCookie != "" {
		x.answer.header.Set("Set-Cookie", x.identity.SetCookie)
	}
	if err != nil {
		return nil, err
	}
	if live.APIDisabled() { // no route is registered
		route, name = nil, ""
	}
	if name != "" {
		req.Captures = api.Object(name, value)
	}
	if x.provisional() {
		res := s.refusal(ctx, x, api.Fail("calbridge_site_closed"))
		res.Elsewhere = true
		return res, nil
	}
	return s.dispatch(ctx, x, route)
}

// provisional reports whether the request names a provisional post: one occurrence of a recurring
// event, which only the calendar itself finds.
func (x *exchange) provisional() bool {
	first := x.place.Site.Facts.ProvisionalIDs
	return first > 0 && php.ToInt(x.req.Get("id")) >= first
}

// readJSON reads the JSON parameters, now that the user is known.
func (x *exchange) readJSON(ctx context.Context) error {
	return x.body.JSON(ctx, x.req.Request, x.identity.User.ID == 0)
}

// dispatch runs the endpoint of a route, nil for none.
func (s *Server) dispatch(ctx context.Context, x *exchange, route *wprest.Route) (*api.Response, error) {
	req := &x.req
	options := req.Method == http.MethodOptions
	if !options && (route == nil || route.Endpoint(req.Method) == nil) {
		return nil, api.Fail("rest_no_route")
	}
	if err := x.readJSON(ctx); err != nil {
		return nil, err
	}
	if options {
		req.Route = route
		if route != nil {
			req.Endpoint = &route.Endpoints[0]
		}
		return s.finish(ctx, x, wprest.Options(req))
	}
	req.Route, req.Endpoint = route, route.Endpoint(req.Method)
	if !api.Writes(req.Method) && req.JSONErr == nil {
		x.session.UseReplica(ctx, s.needsLatest(x))
		if route.Cost != "" {
			x.session.Classify(route.Cost)
		}
		defer x.session.KeepConnection(ctx)()
	}
	res, err := s.perform(ctx, x)
	if err != nil {
		return s.refusal(ctx, x, publicError(ctx, err)), nil
	}
	return res, nil
}

// perform runs the endpoint: body syntax, arguments, permission, handler.
func (s *Server) perform(ctx context.Context, x *exchange) (*api.Response, error) {
	req := &x.req
	if err := req.JSONError(); err != nil {
		return nil, err
	}
	if err := req.CheckArgs(ctx); err != nil {
		return nil, err
	}
	req.Place.Want(req.Language())
	if !req.Route.Anonymous {
		req.Viewer.Password, req.Viewer.EditContext = req.Get("password"), req.Text("context") == "edit"
	}
	if req.Endpoint.Allowed != nil {
		ok, err := req.Endpoint.Allowed(ctx, req)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, req.Viewer.Forbidden()
		}
	}
	result, err := s.handle(ctx, x)
	if err != nil {
		return nil, err
	}
	if api.Writes(req.Method) {
		markWriter(x, s.cfg.OwnWrites)
	}
	x.answer.rendering = result.Rendering
	return s.finish(ctx, x, result)
}

// handle runs the handler, unless it writes and the server is read-only.
func (s *Server) handle(ctx context.Context, x *exchange) (*api.Result, error) {
	req := &x.req
	if !api.Writes(req.Method) {
		return req.Endpoint.Handle(ctx, req)
	}
	// Even a failed write may have changed rows that were looked up before.
	defer s.writers.wrote(req.ClientIP)
	defer req.Lookups.ForgetPosts()
	if s.cfg.ReadOnly {
		return nil, api.Fail("calbridge_read_only")
	}
	if len(req.Place.Site.Facts.NoTransactions) > 0 && !s.cfg.NoTransactions {
		return nil, api.Fail("calbridge_no_transactions")
	}
	if write := s.writes[req.Endpoint.Does.Of(req.Route.Collection)]; write != nil && !x.beside {
		return write(ctx, x.session, req)
	}
	return req.Endpoint.Handle(ctx, req)
}
