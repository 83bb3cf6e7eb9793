// Package site puts a site together as the settings describe it: database, API, caches and
// rollout.
//
//   - site.go: Site, from Open to Close; live.go: Live, which serves the latest Site while
//     earlier ones are closed
//   - calendar.go: Calendar, the list of events that webhooks tell of
//   - config.go: the configuration of wpstore and rest, the site's wording and theme
//   - files.go: files that several sites share; elsewhere.go: requests for no site of several
//   - lasting.go: what the journal of changes belongs to, over restarts and updates
//   - database.go: opening the database, and all checks before a start
//   - compare.go: the site beside WordPress, for `calbridge check --upstream`
//   - watch.go: facts that change while the site is served
//   - prover.go: what mode auto needs; proofs.go: what it has proved, over reloads and restarts
//   - rollout.go: the configuration of rest/rollout and the diff modes
//   - push.go: what caches in front may store, and their purges
//   - observe.go: observations for metrics and log
//
// It turns settings into an http.Handler that can be closed. Only this package configures
// wpstore, rest and rest/rollout. It must not import daemon and app, which use it.
package site
