// Package loader reads a set of posts with everything that belongs to them, in a number of
// queries that does not depend on the number of posts.
//
// It turns the ids of the posts, the place and the viewer into a [Set]: the posts, what events link
// to in the languages in which it is shown, their metadata and terms, and the attachments, embeds
// and blocks that pictures and texts refer to.
//
//   - loader.go: Loader, and the two ways in: Events and Posts
//   - set.go: Set
//   - links.go: venues and organizers of events, with their translations
//   - refs.go: what texts refer to, round after round
//   - media.go: attachments, reusable blocks, embeds
//   - galleries.go: the images of other posts that galleries show
//   - digest.go: one digest for all that an event is made of
//   - cache.go: Cache, which requests share: references of texts, metadata of files
//
// It writes no JSON and renders no text, and imports neither render nor anything that imports
// render.
//
// # Links
//
// postlink.go reads from a post's metadata which other posts it names: the venues and organizers
// of an event, and the picture of any post. It takes metadata as stored, including the forms that
// old versions of the calendar left behind. It returns ids, whether or not such posts exist.
package loader
