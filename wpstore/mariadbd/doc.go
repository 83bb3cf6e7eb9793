// Package mariadbd runs a private MariaDB or MySQL server for tests and measurements:
// mariadbd or mysqld from the PATH, with a data directory and socket in a temporary folder.
// The server ends with the process, even if that is killed, and its data is removed.
//
// server.go starts and stops it and creates databases on it; prepare.go finds the program
// and fills the data directory; process.go runs the program. The package imports nothing of
// this module.
package mariadbd
