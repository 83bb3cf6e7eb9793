// Package wpcap decides what a user may do: roles and capabilities of WordPress
// as pure functions on data already read.
//
// A check has two halves. A question about an object ("may she delete this
// event?") is mapped to a list of primitive capabilities, which depend on the
// object's type, status and author; the user must hold all of them. Roles are
// read from the site's options, never assumed, since sites change them. What plugins
// decide at run time by filters cannot be reproduced.
//
// In: user meta, the option of roles, facts of a post and of the site. Out: yes or no.
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
// Source: WordPress 6.5 to 7.1 with The Events Calendar 6.17; spec/auth-and-capabilities.md.
package wpcap
