// Package profile gathers a site's wording from recordings: the texts of its answers
// that neither its database nor the API determines.
//
//   - format.go, slot.go: the profile file and the places of texts in it
//   - builder.go: builds a profile, exchange by exchange
//   - ballot.go: the majority where recordings disagree; source.go: the language of a text
//   - advertised.go: descriptions of arguments, and the OpenAPI document
//   - messages.go: the messages of the reference; errors.go, template.go: their templates;
//     siblings.go: messages not recorded
//   - closed.go: the responses of closed sites of a network
//   - words.go, blocks.go: words inside values, markup inside descriptions
//   - excerpts.go: what a theme adds after excerpts and before galleries
//
// It turns exchanges into a Profile. It must not import diff or anything that sends.
package profile
