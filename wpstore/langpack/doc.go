// Package langpack reads language packs of WordPress and its plugins. These are compiled
// gettext catalogues (.mo) and the PHP files that WordPress prefers to them since 6.5
// (.l10n.php). It runs none of that PHP.
//
//	catalogue.go  Catalogue: translations by context and text
//	mo.go         .mo files
//	php.go        .l10n.php files
//	template.go   translations of texts with placeholders
//	texts.go      the texts that responses contain
//	packs.go      the packs of a site
//
// It imports only wpstore/phptoken of this module.
package langpack
