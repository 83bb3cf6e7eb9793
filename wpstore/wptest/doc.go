// Package wptest gives tests a database: a private MariaDB server, the embedded engine,
// dumps of real sites, and generated calendars of any size.
//
//	server.go, login.go            a database on a server of the test process
//	site.go, dump.go               the database of a site, and loading dumps
//	variant.go                     the database of another kind of site
//	generate.go, queries.go        generated calendars, and typical lists of them
//	insert.go                      single rows
//	node.go, cluster.go, relay.go  servers that a test kills, connects and switches between
//	heap.go                        the size of the live heap
//
// The server starts once per test process if mariadbd or mysqld is on the PATH.
// CALBRIDGE_TEST_DSN names a server to use instead, whose user may create and drop
// databases. CALBRIDGE_REQUIRE_MARIADB=1 makes tests fail that would be skipped without a
// server. CALBRIDGE_TEST_SERVER is the path of another server's program,
// CALBRIDGE_TEST_OPTIONS are further arguments of it, and CALBRIDGE_TEST_LOGIN selects how
// tests log in; .ci/matrix runs tests with them. Dumps come from ../shared, see package
// testdata.
//
// Only tests import it.
package wptest
