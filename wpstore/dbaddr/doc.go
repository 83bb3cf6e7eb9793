// Package dbaddr holds the address of a site's database: a MySQL or MariaDB server with a
// login, or a file of the embedded engine. [Parse] reads the text of --dsn; wp-config.php
// yields the driver's settings without any text in between, because a DSN can't hold every
// user, password and host.
//
//	address.go   Address, Parse, ParseServer
//	key.go       keys of servers that a DSN names
//
// It imports nothing of this module.
package dbaddr
