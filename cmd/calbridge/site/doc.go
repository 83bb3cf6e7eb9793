// Package site puts a site together as the settings describe it: the database, the
// interface over it, the caches and the rollout before it.
//
//   - site.go: Site, from opening it to closing it
//   - live.go: Live, which answers with the latest Site while others are replaced
//   - config.go: what the settings mean to wpstore and to rest; the site's wording
//     and theme
//   - database.go: opening the database, and all that can be found wrong before a
//     start
//   - rollout.go: what the settings mean to rest/rollout and to the diff modes
//   - observe.go: what requests and the rollout tell metrics and log
//
// In come settings; out goes an http.Handler that can be closed. Only this package
// configures wpstore, rest and rest/rollout. It must not import daemon and app,
// which use it.
package site
