// Package access decides who may see and change what.
//
// viewer.go: [Viewer] is who asks, with what the request brings along to unlock posts; it
// answers questions about posts that were read. visibility.go: which statuses a list shows
// to a viewer, and where that differs from the reference (S1, S2).
//
// It asks no store: whoever has a post asks about it. It imports api, wpsite and leafs.
package access
