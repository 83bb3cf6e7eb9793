// Package demopage is the page that the demo opens with: the calendar, drawn in the browser
// from the API, beside the requests that do it.
//
//   - handler.go: Front, which answers the page's own paths and leaves all others to the API
//   - picture.go: pictures for the sample calendar, whose files don't exist
//   - page: the page, embedded; modules and style sheets without a build step
//
// It wraps the API's handler. It is for the demo only: it lets the page write as the calendar's
// administrator. Of cmd it imports only httpserver.
package demopage
