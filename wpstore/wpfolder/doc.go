// Package wpfolder reads facts about a WordPress installation from its files: versions,
// headers of plugins and themes, language packs, and calls that hook into responses. It
// runs nothing, and follows no link out of the folders it reads.
//
//	folder.go   Read, Folder
//	place.go    folders, links and the reading of files
//	version.go  version.php and the headers of plugins and themes
//	theme.go    style.css, functions.php, parents
//	themejson.go theme.json
//	packs.go    language packs
//	hooks.go    which files are searched for hooks
//	calls.go    calls of add_filter and add_action in PHP source
//
// It imports wpstore/langpack and wpstore/phptoken.
package wpfolder
