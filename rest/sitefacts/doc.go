// Package sitefacts collects the facts about a WordPress installation that responses depend on, and
// reports where calbridge differs from the site.
//
//   - inputs.go: Inputs, the reports of each source
//   - document.go: Document, with the source of each fact and where sources disagree
//   - table.go, getters.go: the table of facts, and where each comes from
//   - themes.go, plugins.go, hooks.go: themes, plugins and hooks that change answers
//   - suspects.go: which plugins may have changed a field; locale.go: texts of language packs
//   - visitors.go: code that may answer some visitors otherwise
//   - theme.go: how the site's theme renders, and what is not known of it
//   - concerns.go: Concern, one for each fact that calbridge can't follow
//
// It turns the raw inputs into a Document and its concerns. All of it is pure: the package reads no
// files and no database.
package sitefacts
