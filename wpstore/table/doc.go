// Package table names the tables of a WordPress site. It turns a prefix and the number of a
// site (names.go: [Config]) into physical names ([Names]). It imports nothing of this
// program.
package table
