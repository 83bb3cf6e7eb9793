// Package langpack reads language packs of WordPress and its plugins: compiled gettext
// catalogues (.mo), and the PHP files that WordPress prefers to them since 6.5 (.l10n.php),
// of which it runs nothing.
//
//	catalogue.go  Catalogue: translations by context and text
//	mo.go         .mo files
//	php.go        .l10n.php files
//	template.go   translations of texts with places for values
//	texts.go      the texts that answers contain
//	packs.go      the packs of a site
//
// It imports wpstore/phptoken and nothing else of this module.
package langpack
