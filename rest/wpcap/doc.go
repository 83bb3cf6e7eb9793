// Package wpcap decides what a user may do: roles and capabilities of WordPress
// as pure functions on data already read.
//
// A check has two halves. A question about an object ("may this user delete this event?") is mapped
// to a list of primitive capabilities, which depend on the object's type, status and author; the
// user must hold all of them. Roles are read from the site's options, never assumed, since sites
// change them. Decisions that plugins make at run time with filters cannot be reproduced.
//
// It takes user meta, the option of roles, and facts of a post and of the site. It returns yes or
// no.
//
//	user.go      User, Can, super admins
//	role.go      roles of a site
//	post.go      may a user edit, delete, read a post
//	posttype.go  capabilities of each post type
//	status.go    post statuses
//	term.go      who may assign terms
//	site.go      facts of a site; who may write unfiltered HTML
//
// It imports wpstore/php and nothing else of this module.
//
// It reproduces WordPress 6.5 to 7.1 with The Events Calendar 6.17.
package wpcap
