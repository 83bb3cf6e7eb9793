// Package webfetch gets files from URLs that strangers name, without letting them
// reach what only this machine can: every address is checked after its name is
// resolved and at the moment of connecting, so that neither redirects nor names
// that change their address (DNS rebinding) lead to private, loopback, link-local
// or metadata addresses.
//
// Sizes, times, redirects and ports are bounded; proxies of the environment,
// cookies and credentials are not used. Resolver and dialer are passed in.
package webfetch
