// Package notice is the protocol between calbridge and its companion plugin in WordPress
// (docker/wordpress/calbridge-companion*.php).
//
// A write by SQL bypasses WordPress's object cache, page caches, and plugins that hook into saving.
// After each committed write the [Client] sends the plugin the ids of what changed, and the plugin
// invalidates them. In the other direction, the plugin sends a [Handler] what a request to
// WordPress changed.
//
// A message is a POST of JSON with three headers: the Unix time, a random nonce, and the
// HMAC-SHA256 of purpose, time, nonce and body with the shared secret. The receiver refuses
// replays, and clocks that differ by more than a few minutes. Notices name rows and never carry
// their present content. A lost, repeated or late notice can cost time, but never leads to a wrong
// value.
//
// For the hooks of saving, a notice also has [Saved]: the WordPress function that would have saved
// the post or term, and the previous row. These must arrive, since no later notice makes up for a
// lost one. They wait without a time limit until the plugin has received them, across restarts in
// an outbox. The plugin recognizes repeated ones by their tokens.
//
// Notices of the plugin are numbered, so that a [Sequence] detects missing ones: the receiver reads
// the last number taken from the site's database.
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
