// Package statedir stores files that survive the process, in a folder below --state-dir.
//
//   - folder.go: [Folder], which one process at a time may use
//   - replace.go: files that are replaced atomically
//
// Folders have mode 0700 and files 0600, whatever the umask. The package imports nothing of
// this program.
package statedir
