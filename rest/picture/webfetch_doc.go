// # Fetching
//
// client.go downloads files from URLs that strangers name, without letting them reach what
// only this machine can reach. Every address is checked after its name is resolved and again when
// connecting. So neither redirects nor names that change their address (DNS rebinding) lead to
// private, loopback, link-local or metadata addresses. Sizes, times, redirects and ports are
// bounded. Proxies of the environment, cookies and credentials are not used.
//
// It takes URLs, and in tests a resolver and a dialer, and returns the status and media type
// ([Client.Head]) or the body ([Client.Get]).
//
//	client.go   the client, its bounds, URLs, connecting
//	address.go  which addresses are of the public internet
package picture
