// Package stream sends changes of lists to clients as they happen, as server-sent events. What
// the messages mean is in package changes.
//
//   - hub.go: [Hub], all streams of a server with their limits
//   - source.go: what a list has to be able to
//   - serve.go: one stream: first what its client has missed, then what its group sends
//   - group.go: the streams of one list, for which one goroutine reads and renders changes
//   - queue.go: what is on its way to one client
//   - message.go: the bytes of messages
//
// It turns a [Source] for each list into bytes for clients, each a Flusher, which the clients
// of a list share. The package knows no events, requests or tokens.
//
// # No gaps
//
// A client has a [Cursor]. As long as it is older than what its group remembers, the client
// reads from the source by itself, at its own pace. Then it joins the group, in the same
// moment in which it gets what the group remembers after its cursor. From then on each change
// is queued for it, whole or not at all: a client whose queue is full gets what is in it, and
// its stream ends. The last id that it got is a cursor to resume from.
package stream
