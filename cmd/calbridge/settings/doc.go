// Package settings reads the program's settings.
//
// There is one table of settings. It defines flags, environment variables, secrets in files,
// keys of the configuration file, constants of wp-config.php and the help. A test generates
// the reference in the README from it.
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
// It turns a command's arguments and the environment into Settings, each of them valid by
// itself. To add a setting, add a field to its group and a row next to it.
//
// The package may import what it configures, for the types of values. It must not import the
// packages that use it: site, sitecheck, daemon and app.
package settings
