package picture

import (
	"net/netip"

	"code.dny.dev/ssrf"
)

// guardian refuses IANA's special-purpose ranges, unassigned IPv6 addresses, and the metadata
// service that a cloud runs at a public address.
var guardian = ssrf.New(ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")))

// Addresses that carry an IPv4 address; packets may end up there.
var (
	sixToFour = netip.MustParsePrefix("2002::/16")
	teredo    = netip.MustParsePrefix("2001::/32")
)

// Public reports whether an address is one of the public internet. Of an address that
// carries an IPv4 address, mapped, NAT64, 6to4 or Teredo, that one counts; of ISATAP
// both do.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	b := a.As16()
	v4 := func(at int) netip.Addr { return netip.AddrFrom4([4]byte(b[at : at+4])) }
	switch {
	case a.Is4():
	case ssrf.IPv6NAT64Prefix.Contains(a):
		return Public(v4(12))
	case sixToFour.Contains(a):
		return Public(v4(2))
	case teredo.Contains(a):
		client := netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})
		return Public(v4(4)) && Public(client)
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return guardian.SafeAddr(a) == nil && Public(v4(12))
	}
	return guardian.SafeAddr(a) == nil
}
