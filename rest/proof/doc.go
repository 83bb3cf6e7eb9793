// Package proof decides which requests calbridge may answer itself while WordPress answers the
// others. It decides by earlier comparisons of both.
//
//   - prover.go: [Prover], which decides and records
//   - meaning.go: the reasons for people
//   - shape.go: [Shape], the kinds of requests that are proved together; sites.go: the addresses
//     to which they are sent
//   - book.go: Book, the proofs by shape; entry.go: the proof of one
//   - objects.go: Objects, the posts and terms that WordPress was seen to show
//   - composed.go: responses of our envelope and WordPress's objects, which package fragment keeps;
//     budget.go: how many requests keep objects from expiring
//   - pieces.go: entries of a list that are decided about one by one
//   - adjustments.go: [Adjustments], rules of WordPress's responses; headers.go: Headers, constant
//     response headers that it adds, removes or replaces; pagecap.go: the largest pages, where it shows more than by
//     default
//   - saved.go: [Saved], what survives a restart; successor.go: what a reload keeps
//   - storing.go: what caches in front may store of released responses, and when that is outdated
//   - settings.go: Settings, and bounds by memory
//   - report.go: [Report], for the operator; figures.go: [Figures], for metrics
//   - tables.go: tables whose changes end no proofs, and those that are probably harmless
//   - accompanying.go: what changes during comparisons, perhaps because of them
//   - causes.go: which plugin is the likely cause of a difference
//   - facts.go: what responses depend on besides rows; record.go: what follows from a comparison
//
// # What has to be proved
//
// A shape is proven by identical responses to different requests, spread over a time. One
// difference ends its proof. Responses that differ while rows change prove nothing: the
// comparison is repeated, and meanwhile the shape isn't answered natively. The proof of a shape
// shows that a response is rendered as WordPress renders it.
//
// It doesn't show who may see the response, because plugins guard single events. So each post
// and term in a response must also have been part of an identical response of the same route in
// the same language since its rows changed last, and within [Settings.MaxAge], because a guard may
// depend on what is in no row: files, the clock. Objects in use are compared again before that. While
// WordPress fails, that limit doesn't apply. What WordPress refuses or leaves out is closed until its
// rows change.
//
// Comparisons are the same for all clients. Of a client's request they have only the target, the
// host and the scheme, which are parts of the shape. So what one client may see because of what
// it sends proves nothing for others, and a refusal to it closes nothing for them. Requests with
// anything else that may change WordPress's response go to WordPress. Code that refuses by what
// all clients send, such as their address or browser, can't be detected by comparing. While the
// site has such code (VisitorFact), nothing is answered natively.
//
// All proofs end when the facts change that responses depend on: plugins, versions, theme,
// options. The proofs of objects end when a table changes that calbridge doesn't know, since a
// guard may be stored there. They also end when WordPress refuses an object that it showed
// before, although none of its rows has changed: the refusal then depends on something that
// calbridge doesn't see.
//
// # WordPress's objects
//
// Where plugins change objects, responses differ inside of them and the shape isn't proven. If they
// are the same outside, the envelope is proved as a shape of its own (Shape.Composed), by the same
// rules, and package fragment keeps the objects as WordPress has sent them. A response is then
// composed of both. The rules for objects hold as well: nothing is composed that shows a closed
// object, and what ends the proofs of objects ends all fragments. A fragment is itself the proof that
// WordPress has shown the object since its rows changed. An iCalendar export is an envelope with events as
// objects. Responses to the arguments password, _method, _jsonp, _envelope, _embed, _pretty or another
// context than "view" have no fragments.
//
// A response with content that only WordPress can render (blocks and shortcodes of plugins) is never
// released as it is: it is composed, whatever is proven. Since our renderer can't reproduce it, a
// difference inside of its objects doesn't end the proof of its shape.
//
// With [Settings.OnlyContent], as in mode native, there are no decisions about other responses, and
// the envelope needs no proof. A fragment is filled only if both responses agree in everything but the
// content of objects: description, excerpt, the description in json_ld, and that of exports. After a difference
// elsewhere, WordPress answers.
//
// Fragments start over with each process and with each reload.
//
// # What outlasts the process
//
// Rows may have changed unnoticed while no process was running: a server may have been set back
// and have passed its old position again. So only the proofs of shapes are kept, and only while
// the facts are the same. Each needs one more identical response before it counts. The proofs of
// objects start over.
//
// A reload keeps the proofs of objects too: the new prover receives changes before the old one
// stops receiving them.
//
// While WordPress is down, its code can't be queried. A running prover continues with the facts
// it has: code that isn't running hides nothing, and soon after WordPress answers again the code
// is queried ([Config.CodeAge]). After a reload or a start while WordPress is down, all proofs
// start over, for two reasons. The code may have changed, and no row shows that. And the new
// instance renders by facts that it collected itself when it was opened. Those that only
// WordPress reports (its version, hooks, page caps, what the theme supports) are missing, so
// that its responses may differ from those that were compared. Being opened while WordPress is
// down is therefore itself one of the facts. Without the companion plugin all facts come from
// the database and from files, and a reload while WordPress is down keeps everything.
//
// The package turns drafts of responses and results of comparisons into decisions. It makes no
// requests, and must not import rest's root or package rollout.
//
// # The file of proofs
//
// A file stores what mode auto has proved, so that it survives a restart.
//
//   - format.go: the file, which belongs to one site and one version of the format
//   - store.go: [Store], which reads it, writes it, and removes it
//
// The file has no passwords, nonces, bodies or values of arguments. It may be
// deleted at any time.
//
// The file never says more than was proved: it is replaced whole, and it is removed before
// anything that has ended a proof goes on. So a process that is killed leaves a file that was
// true when it was killed, or none.
package proof
