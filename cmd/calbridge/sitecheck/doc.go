// Package sitecheck finds out whether a site can be served, and gives advice where it can't.
// `calbridge check` prints its findings; serve refuses to start on failures.
//
//   - report.go: findings, printing and enforcing them
//   - settings.go: the settings by themselves
//   - addresses.go: the listeners, and WordPress behind --upstream
//   - site.go: an open database; languages.go: the site's languages; network.go: the network of
//     sites that it belongs to
//   - facts.go: the site's facts from all sources, and what calbridge doesn't do as the site
//   - folders.go: the folder of WordPress, which several sites may share
//   - blocks.go: blocks in texts that calbridge can't render
//   - companion.go: whether WordPress would notice our writes
//
// It turns settings and an open store into a check.Report. The package leaves nothing open and
// changes nothing. It must not import site, which uses it.
package sitecheck
