// Package trait has the differences between versions of WordPress and The Events Calendar.
//
// In come the versions of a site, out go its traits. It is the only place where versions
// are compared: renderers and handlers look whether the site has a trait.
//
//   - traits.go: the table, and the traits of a site
//   - release.go: releases of WordPress by the version of its database
//   - version.go: comparing versions
package trait
