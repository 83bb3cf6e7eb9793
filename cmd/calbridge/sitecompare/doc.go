// Package sitecompare compares calbridge's answers about a site with WordPress's, and says
// what the differences suggest: a version, a plugin, a theme, a locale, a setting.
// `calbridge check --upstream` prints it.
//
//   - requests.go: the table of kinds of requests; contents.go: the ids, slugs, words and
//     dates that they are made of, read through calbridge's own handler
//   - address.go: how requests reach the site; sides.go: WordPress and our handler
//   - compare.go: sends each request to both sides and has compat's judge compare
//   - refine.go: one cause, one difference: a list of other items is reported as such
//   - signs.go: the table of signs and what they suggest; holds.go: whether a cause accounts
//     for a difference; groups.go: differences by kind
//   - result.go: the Result as a finding and as text; report.go: as compat's report
//
// It turns our handler and the address of WordPress into a Result. The package sends only GET,
// HEAD and OPTIONS. It must not import site, which uses it.
package sitecompare
