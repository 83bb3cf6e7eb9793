// Package wptest gives tests a database: a private MariaDB server, the embedded
// engine, dumps of real sites, and generated calendars of any size.
//
// The server is started once per test process when mariadbd or mysqld is on the
// PATH, as package mariadbd does it. CALBRIDGE_TEST_DSN names a server to use instead, whose
// user may create and drop databases. CALBRIDGE_REQUIRE_MARIADB=1 turns the skip of
// tests without a server into a failure, and CALBRIDGE_REQUIRE_SHARED=1 that of
// tests without the folder of dumps and recordings, which CALBRIDGE_SHARED moves.
//
// It is imported by tests only, and does not import wpstore, whose own tests use
// it.
package wptest
