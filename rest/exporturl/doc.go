// Package exporturl reads requests for the iCalendar exports of The Events Calendar, which are
// arguments and endings of the addresses of a site's public pages.
//
//   - site.go: [Site], what addresses depend on
//   - path.go: which page a path names; rules.go: those below the calendar's
//   - request.go: [Parse], path and query → [Request]
//   - view.go: which view, dates, rows and filters the arguments select
//   - redirect.go: the canonical address of a page
//
// It reads no database: whether a page exists, and thus whether WordPress redirects to its
// canonical address, is for the caller to find out.
package exporturl
