// Package webfetch gets files from URLs that strangers name, without letting them
// reach what only this machine can: every address is checked after its name is
// resolved and at the moment of connecting, so that neither redirects nor names
// that change their address (DNS rebinding) lead to private, loopback, link-local
// or metadata addresses. Sizes, times, redirects and ports are bounded; proxies of the
// environment, cookies and credentials are not used.
//
// In: URLs, and a resolver and a dialer in tests. Out: status and media type
// ([Client.Head]) or the body ([Client.Get]).
//
//	client.go   the client, its bounds, URLs, connecting
//	address.go  which addresses are of the public internet
//
// It imports nothing of this module.
package picture
