// Package wpfolder reads what the files of a WordPress installation say about it.
package wpfolder
