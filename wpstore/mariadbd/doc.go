// Package mariadbd runs a MariaDB or MySQL server of this process's own, for tests
// and measurements: mariadbd or mysqld from the PATH, on a data directory and socket
// in a temporary folder. The server ends with the process, also when that is killed,
// and its data goes with it.
//
// server.go starts and stops it and makes databases on it; prepare.go finds the
// program and fills the data directory; process.go runs the program. The package imports
// nothing of this module.
package mariadbd
