// Package settings reads the program's settings.
//
// There is one table of settings. Flags, environment variables, secrets in files, keys of
// the configuration file, constants of wp-config.php, the help and, by a test, the reference
// in the README are made from it.
//
//   - settings.go: Settings, which holds the groups, and the order of the table
//   - database.go, listen.go (with limits and log), api.go (with uploads and caches),
//     site.go (with companion and logins), rollout.go: the groups and their rows
//   - setting.go: a row of the table; which settings a command has
//   - kinds.go: kinds of values: numbers, times, sizes, addresses, …
//   - read.go: the sources and their precedence; file.go: the configuration file;
//     environment.go: variables that look like settings
//   - help.go: the help of a command
//
// In come a command's arguments and the environment; out go Settings, each of them valid by
// itself. To add a setting, add a field to its group and a row beside it.
//
// The package may import what it configures, for the types of values. It must not import
// its users: site, sitecheck, daemon and app.
package settings
