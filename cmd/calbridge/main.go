// Command calbridge answers the calendar REST API of a WordPress site from the
// site's own database. All of it is in package app and those that app lists.
package main

import (
	"os"

	"calbridge/cmd/calbridge/app"
)

func main() { os.Exit(app.Main()) }
