// Package export answers requests for the iCalendar exports of The Events Calendar.
//
//   - answer.go: [Handler], the steps of an answer
//   - request.go: what all steps read of the request
//   - terms.go: categories and tags of a filter
//   - dates.go: the dates of a view, and those that the calendar has
//   - selection.go: the events of a view
//   - page.go: whether WordPress finds the page of a request
//   - redirect.go: where WordPress redirects to
//   - language.go: redirects, translations and cookies of the language plugins
//   - response.go: the responses and their headers
//
// Package feed reads the requests, render the events, ical writes them.
package export
