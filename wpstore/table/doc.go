// Package table names the tables of a WordPress site. In come a prefix and the number of
// a site (names.go: [Config]), out go physical names ([Names]). It imports nothing of
// this program.
package table
