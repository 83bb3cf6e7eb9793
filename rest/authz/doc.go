// Package authz decides who may see and change what.
//
//   - viewer.go: [Viewer], the user of a request with its passwords: rights to single posts,
//     the status after a write
//   - visibility.go: which statuses a list shows to a viewer, and where that differs from
//     the reference (S1, S2)
//
// It turns posts that have been read already into decisions. It does not read the store, and of
// rest it imports only api, wpsite and leaf packages.
package authz
