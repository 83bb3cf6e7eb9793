// Package rollout lets calbridge and WordPress answer side by side while one takes over
// from the other.
//
//   - mode.go: modes and the Plan: which side answers which client
//   - handler.go: Handler: the way of a request; Observe and Decline, the callbacks of rest
//   - upstream.go: WordPress behind a reverse proxy; errors.go: how a request to it ended
//   - queue.go: comparisons in the background, within bounds; comparison.go: one
//     comparison; answer.go: one side's response
//   - auto.go: the mode in which package proof decides; prove.go: its comparisons; Hold, a
//     callback of rest
//   - headers.go: OrdinaryHeaders, the request headers with which that mode may answer natively
//
// It turns requests, a Plan and the native handler into responses, and into pairs of responses for
// a [Judge], which is passed in. The package must not import rest's root or compat.
package rollout
