// Package ddl describes database tables and writes their CREATE TABLE statements for
// MySQL and for SQLite.
//
//	table.go   Table, Column, Key
//	mysql.go   a table for MySQL and MariaDB
//	sqlite.go  a table for the embedded engine
//
// Package schema describes the tables of a site with it, the dialects of sqlconn write
// them, and test support reads dumps into it. It imports nothing of this module.
package ddl
