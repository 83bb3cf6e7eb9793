package respcache

import (
	"context"
	"strconv"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

// Builder builds the response to one request. depends collects what the response depends on; it is
// nil if the response won't be cached. built is for the request alone, shared is the same response
// for everybody, or nil.
type Builder[T any] func(ctx context.Context, depends *invalidation.Dependencies) (built T, shared *Answer)

// Build returns the result of the Builder, or the shared response to an identical request that is
// being built already. The building outlives its client and ends at the deadline of the request
// that began it, while every request waits until its own.
func Build[T any](ctx context.Context, k *Lookup, build Builder[T]) (built T, shared *Answer) {
	if k.Result != api.CacheMiss {
		built, _ = build(ctx, nil)
		return built, nil
	}
	var own *T // of the flight that this call has begun
	// After a panic each request builds its own, where net/http recovers.
	results := k.cache.guard.Flight(&k.cache.flights, k.flightKey(), "building an answer", func() (any, error) {
		ctx, cancel := detached(ctx)
		defer cancel()
		built, shared := buildAndCache(ctx, k, build)
		own = &built
		return shared, nil
	})
	select {
	case result := <-results:
		if own != nil {
			return *own, nil
		}
		if a, _ := result.Val.(*Answer); a != nil {
			k.Result = api.CacheHit
			return built, a
		}
	case <-ctx.Done():
		k.cache.guard.Go(&k.cache.abandoned, "waiting for an answer", func() { <-results })
	}
	// If the leader's result wasn't cacheable, build our own.
	built, _ = buildAndCache(ctx, k, build)
	return built, nil
}

// flightKey contains the tracker's generation and the second: a request never joins a flight
// that may have read before the last change, or that lists the events of another time.
func (k *Lookup) flightKey() string {
	return strconv.FormatBool(k.key.HTTPS) + " " + strconv.FormatUint(k.before, 36) + " " + strconv.FormatInt(k.second, 36) + " " + k.key.Host + " " + k.key.URI
}

// detached returns a context with the deadline and the values of ctx, which its
// cancellation doesn't end.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	ctx = context.WithoutCancel(ctx)
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, deadline)
}

func buildAndCache[T any](ctx context.Context, k *Lookup, build Builder[T]) (built T, shared *Answer) {
	depends := invalidation.NewDependencies()
	built, shared = build(ctx, depends)
	if shared != nil {
		shared.Built, shared.Tags = k.before, depends.Tags()
		k.cache.Put(k.key, shared)
	}
	return built, shared
}

// NewAnswer returns the response that is shared by all clients, or nil if the response can't be
// shared. at is the time for which it was built.
func NewAnswer(res *api.Response, route, language string, at time.Time) *Answer {
	if !res.Repeats || res.CookieMatters && !res.Page || res.HeadOnly || res.Stream != nil { // requests with a cookie that matters aren't looked up, and pages vary by it
		return nil
	}
	a := &Answer{
		Status: res.Status, Code: res.Code, Header: res.Header, Body: res.Body, Route: route, Language: language, Shared: res.Shared,
		NotRendered: res.NotRendered, CrossOrigin: res.CrossOrigin, Page: res.Page, Cookie: res.Cookie, Objects: res.Objects,
	}
	switch {
	case res.Timely:
		a.From, a.Until = at.Unix(), at.Unix()+1
	case !res.Until.IsZero():
		a.From, a.Until = at.Unix(), res.Until.Unix()
	}
	return a
}
