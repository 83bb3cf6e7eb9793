// Package sitecheck finds out whether a site can be served, and says what to do
// where it cannot. `calbridge check` prints what it finds; serve refuses to start.
//
//   - report.go: findings, and how they are printed and enforced
//   - settings.go: what the settings say by themselves
//   - addresses.go: those to listen on, and WordPress behind --upstream
//   - site.go: what an open database says of the site
//   - languages.go: the site's languages
//   - companion.go: whether WordPress would notice our writes
//
// In come settings and an open store; out goes a check.Report. The package opens
// nothing that stays open and changes nothing. It must not import site, which calls
// it.
package sitecheck
