// Package demopage serves the page that the demo opens with: a calendar that the browser renders
// from the API, next to the requests that it sends.
//
//   - handler.go: Front, which serves the page's own paths and passes all others to the API
//   - picture.go: pictures for the sample calendar, whose files don't exist
//   - page: the page, embedded; modules and style sheets without a build step. app.js holds what
//     is shown and draws it with one of views; grid.js and bars.js are the keys and the long bars
//     of grids; workbench.js shows the requests; README.txt is a copy of the root's README.md
//
// It wraps the API's handler. It is for the demo only: it lets the page write as the calendar's
// administrator. Of cmd it imports only httpserver.
package demopage
