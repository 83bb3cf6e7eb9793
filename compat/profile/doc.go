// Package profile gathers a site's wording from recordings: the texts of its answers
// that neither its database nor the interface determines.
//
//   - format.go, slot.go: the profile file and the places of texts in it
//   - builder.go: exchange by exchange into a profile
//   - ballot.go: where recordings disagree, the majority; source.go: in which language
//   - advertised.go: descriptions of arguments, and the OpenAPI document
//   - errors.go, template.go: messages, made general; siblings.go: those not recorded
//   - words.go, blocks.go: words inside values, markup inside descriptions
//   - excerpts.go: what a theme puts after excerpts and before galleries
//
// Exchanges come in, a Profile goes out. It must not import diff or anything that
// sends.
package profile
