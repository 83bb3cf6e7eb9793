// Package proof decides which requests calbridge may answer itself while WordPress answers the
// others, by what was compared so far.
//
//   - prover.go: [Prover], which decides and learns
//   - meaning.go: the reasons for people
//   - shape.go: [Shape], the kinds of requests that are proved together; sites.go: the addresses
//     under which they are asked
//   - book.go: Book, the proofs by shape; entry.go: the proof of one
//   - objects.go: Objects, the posts and terms that WordPress was seen to show
//   - learned.go: [Learned], rules of WordPress's answers; headers.go: Headers, constant response
//     headers that it adds; pagecap.go: the largest pages, where it shows more than by default
//   - kept.go: [Kept], what survives a restart; successor.go: what a reload keeps
//   - settings.go: Settings, and bounds by memory
//   - report.go: [Report], for the operator; figures.go: [Figures], for metrics
//   - causes.go: which plugin is the likely cause of a difference
//   - facts.go: what answers depend on besides rows; record.go: what a comparison teaches
//
// # What has to be proved
//
// A shape is proven by identical answers to different requests, spread over a time. One
// difference ends its proof. Answers that differ while rows change prove nothing: the
// comparison is repeated, and meanwhile the shape isn't answered natively. Shapes say that an
// answer is rendered as WordPress renders it.
// They don't say who may see it: plugins guard single events. So each post and term that an
// answer is made of must also have been part of an identical answer of the same route in the
// same language since its rows changed last. What WordPress refuses or leaves out is closed
// until its rows change.
//
// Comparisons are the same for all clients: of a client's request they have the target, the host and
// the scheme, which are parts of the shape. So what one client may see because of what it sends proves
// nothing for others, and what it is refused closes nothing for them. Requests with anything else
// that WordPress may answer otherwise go to WordPress. Code that refuses by what all clients send,
// such as their address or browser, can't be found out by comparing. While the site has such code
// (VisitorFact), nothing is answered natively.
//
// Everything ends when the facts change that answers depend on: plugins, versions, theme,
// options. The proofs of objects end when a table changes that calbridge doesn't know, since a
// guard may be stored there, and when WordPress refuses an object that it showed before,
// although no row of it has changed: something decides that calbridge doesn't see.
//
// # What outlasts the process
//
// Nothing says which rows have changed while no process looked: a server may have been set back
// and have passed its old position again. So only the proofs of shapes are kept, and only while
// the facts are the same. Each needs one more identical answer before it counts. Objects begin
// anew.
//
// A reload keeps objects too: the new prover hears of changes from before the old one has heard
// of the last.
//
// While WordPress is down, its code can't be asked for. A running prover goes on with what it
// knew: code that nobody runs hides nothing, and once WordPress answers, the code is asked for
// before long ([Config.CodeAge]). A reload or a start while WordPress is down begins anew. What
// was proved isn't taken over then, for two reasons. The code may have changed, of which there
// is no row. And the new instance renders by facts that it gathered itself when it was opened:
// those that only WordPress tells (its version, hooks, page caps, what the theme supports) are
// missing, so that its answers need not be those that were compared. An instance that is opened
// while WordPress is down differs from others in what it is opened with, which is therefore one
// of the facts. Without the companion plugin all facts come from the database and from files,
// and a reload while WordPress is down keeps everything.
//
// In come drafts of answers and results of comparisons; out go decisions. The package makes no
// requests, and must not import rest's root or package rollout.
package proof
