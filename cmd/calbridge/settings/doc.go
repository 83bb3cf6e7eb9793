// Package settings is what the program can be told, and by whom.
//
// There is one table of settings. Flags, environment variables, the files that
// CALBRIDGE_…_FILE names, keys of the configuration file, constants of
// wp-config.php, the help and, by a test, the reference in the README are made from it.
//
//   - settings.go: Settings, which holds the groups, and the order of the table
//   - database.go, listen.go (limits and log as well), api.go (uploads and caches as
//     well), site.go (companion and logins as well), rollout.go: the groups, with
//     their rows of the table
//   - setting.go: what a row says; which rows a command has
//   - kinds.go: the kinds of values: numbers, times, sizes, addresses, …
//   - read.go: the sources in the order in which they count
//   - file.go: the configuration file
//   - help.go: the help of a command
//
// In come a command's arguments and the environment; out go Settings that have
// been checked one by one. What they mean together is for those who use them. To
// add a setting, add a field to its group and a row beside it.
//
// The package may import what it configures, for the types of values. It must not
// import what uses it: site, sitecheck, daemon and app.
package settings
