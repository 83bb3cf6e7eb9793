// Package access decides who may see and change what.
//
//   - viewer.go: [Viewer], the user of a request with its passwords: rights to single posts,
//     the status after a write
//   - visibility.go: which statuses a list shows to a viewer, and where that differs from
//     the reference (S1, S2)
//
// In go posts that were read already, out come decisions. It reads no store, and imports of
// rest only api, wpsite and leaf packages.
package access
