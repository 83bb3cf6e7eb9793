package wprest

import "calbridge/rest/trait"

// Dialect is one API over the stores of a site: a namespace of WordPress's REST API with its
// routes. Its handlers return errors with codes of its own, besides those that the engine returns.
// Several dialects can be served side by side.
type Dialect struct {
	// Namespace has no slashes at its ends.
	Namespace string
	// Exposes names the headers of its own that pages of other origins may read.
	Exposes []string
	// Routes returns the routes of a site with traits, with their handlers, in the order in which
	// the index lists them. The engine adds the index. It changes the routes, so that each call
	// must return new ones.
	Routes func(traits trait.Set) []*Route
}
