// Package trait has the differences between versions of WordPress and The Events Calendar.
//
// It turns the versions of a site into its traits. Versions are compared only here: renderers and
// handlers check whether the site has a trait.
//
//   - traits.go: the table, and the traits of a site
//   - release.go: releases of WordPress by the version of its database
//   - version.go: comparing versions
package trait
