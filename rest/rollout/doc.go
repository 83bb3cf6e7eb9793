// Package rollout lets calbridge and WordPress answer side by side while one takes over
// from the other.
//
//   - mode.go: modes and the Plan: which side answers which client
//   - handler.go: Handler: the way of a request
//   - upstream.go: WordPress behind a reverse proxy; errors.go: how a request to it ended
//   - queue.go: comparisons in the background, within bounds; comparison.go: one
//     comparison; answer.go: one side's response
//   - auto.go: the mode in which package proof decides; prove.go: its comparisons; split.go: responses
//     that are the same but for their objects
//   - shown.go: what requests of the process itself get, without asking WordPress
//   - cookies.go: the cookies of visitors that change no response
//   - headers.go: OrdinaryHeaders, the request headers with which that mode may answer natively
//
// # The way of a request
//
// Each request goes one way. Comparisons aside, the native server answers it at most once:
//
//	Handler.ServeHTTP     the Plan → native, WordPress, or mode auto
//	Server.Answer         request → api.Answered, the complete response before it is sent
//	Answered.Elsewhere    → Handler.pass: WordPress sends what only it knows
//	Answered.NotRendered  → auto.compose: calbridge's response with WordPress's content, if a Prover
//	                      has it; otherwise
//	                      Handler.turn: WordPress sends what calbridge can't render. While too many
//	                      requests wait for WordPress, or if it fails, calbridge's response is sent
//	Prover.Release        in mode auto, and for what can't be rendered: Summary → the reason for which WordPress answers, or None,
//	                      perhaps with WordPress's objects (package fragment) for Answered.Replace
//	Answered.Send         → the client, metrics and log
//	Answered.Close        frees the response, sent or not
//	shadow.offer          queues a comparison. It asks each side whose response it lacks: WordPress
//	                      through upstream.get, calbridge through Server.Answer and Answered.Copy,
//	                      of which metrics and the log see nothing
//
// It turns requests, a Plan and the native handler into responses, and into pairs of responses for
// a [Judge], which is passed in. The package must not import rest's root or compat.
package rollout
