package webfetch

import (
	"encoding/binary"
	"net/netip"
)

// refused are the ranges that are not of the public internet, besides those that
// [netip.Addr] knows itself (IANA's special-purpose registries).
var refused = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared by a provider's customers
	"127.0.0.0/8",      // loopback
	"169.254.0.0/16",   // link-local, metadata of clouds
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.31.196.0/24",  // AS112
	"192.52.193.0/24",  // AMT
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"192.175.48.0/24",  // AS112
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
	"168.63.129.16/32", // metadata of a cloud at a public address
	"64:ff9b:1::/48",   // translation inside of a network
	"2001:2::/48",      // benchmarks
	"2001:10::/28",     // ORCHID
	"2001:20::/28",     // ORCHIDv2
	"2001:db8::/32",    // documentation
	"3fff::/20",        // documentation
	"5f00::/16",        // segment routing
)

// global is what is assigned of IPv6: all else is unassigned, private, link-local,
// multicast or an IPv4 address in disguise.
var global = netip.MustParsePrefix("2000::/3")

// Addresses in which an IPv4 address is hidden; packets may end up there.
var (
	sixToFour = netip.MustParsePrefix("2002::/16")
	teredo    = netip.MustParsePrefix("2001::/32")
	nat64     = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// Public says whether an address is one of the public internet, itself and the IPv4
// address that it may carry: mapped, NAT64, 6to4 and Teredo, ISATAP.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	for _, p := range refused {
		if p.Contains(a) {
			return false
		}
	}
	if a.Is4() {
		return true
	}
	b := a.As16()
	v4 := func(at int) netip.Addr { return netip.AddrFrom4([4]byte(b[at : at+4])) }
	switch {
	case nat64.Contains(a):
		return Public(v4(12))
	case !global.Contains(a):
		return false
	case sixToFour.Contains(a):
		return Public(v4(2))
	case teredo.Contains(a):
		client := binary.BigEndian.Uint32(b[12:]) ^ 0xffffffff // stored inverted
		var c [4]byte
		binary.BigEndian.PutUint32(c[:], client)
		return Public(v4(4)) && Public(netip.AddrFrom4(c))
	case b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe: // ISATAP
		return Public(v4(12))
	}
	return true
}
