// Package wpcap decides what a user may do: roles and capabilities of WordPress
// as pure functions on data already read.
//
// A check has two halves. A question about an object ("may she delete this
// event?") is mapped to a list of primitive capabilities, which depend on the
// object's type, status and author; the user must hold all of them. Roles are
// read from the site's options, never assumed, since sites change them.
//
// Decisions that plugins make at run time by filters cannot be reproduced.
//
// Source: WordPress 6.5 to 7.1 with The Events Calendar 6.17.
package wpcap
