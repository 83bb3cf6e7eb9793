// Package notice is the protocol between calbridge and its companion plugin in WordPress
// (docker/wordpress/calbridge-companion*.php).
//
// A write by SQL bypasses WordPress's object cache, page caches and plugins that hook on
// saving. After each committed write the [Client] sends the plugin the ids of what changed,
// and the plugin invalidates them. In the other direction, the plugin sends a [Handler] what
// a request to WordPress changed.
//
// A message is a POST of JSON with three headers: the Unix time, a random nonce and the
// HMAC-SHA256 of purpose, time, nonce and body with the shared secret. The receiver refuses
// clocks more than a few minutes apart, and replays. Notices name rows and never carry their
// present content: a lost, repeated or late one can cost time, but never leads to a wrong value.
//
// For the hooks of saving a notice also has [Saved]: which function of WordPress would have
// saved a post or a term, and what the row was before. These have to arrive: no later notice
// makes up for a lost one. They wait until the plugin has received them, without a limit of
// time, in an outbox over restarts; the plugin recognizes repeated ones by their tokens.
//
// Notices of the plugin have numbers, so that a [Sequence] finds out which are missing: the
// receiver reads the last number that was taken in the site's database.
//
//   - notice.go: Notice, what it may contain, merging several; saved.go: Saved, for the hooks of
//     plugins; outbox.go: saves that wait in a file
//   - client.go: Client and its queue; deliver.go: batches and retries; request.go: one
//     request, and the status of the plugin; facts.go: a signed question with a signed
//     answer
//   - handler.go: Handler; replay.go: nonces that have been seen
//   - mark.go: the number of a notice; sequence.go: Sequence
//   - signature.go: signing and verifying
//
// The package imports nothing of calbridge.
package notice
