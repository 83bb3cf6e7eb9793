// Package calbridge embeds the documents at the root of the module.
package calbridge

import _ "embed"

//go:embed README.md
var readme string

// README returns the text of README.md.
func README() string { return readme }
