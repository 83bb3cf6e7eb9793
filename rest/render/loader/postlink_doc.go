// # Links
//
// postlink.go reads from a post's metadata which other posts it names: the venues and organizers
// of an event, and the picture of any post. It takes metadata as stored, including the forms that old versions of the calendar left behind.
// It returns ids, whether or not such posts exist.
package loader
