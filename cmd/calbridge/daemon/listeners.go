package daemon

import (
	"net"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/cmd/calbridge/settings"
)

// Listeners are the open addresses; Ops is nil without an ops listener.
type Listeners struct{ API, Ops net.Listener }

// Listen opens the addresses that the settings name.
func Listen(s settings.Listen) (Listeners, error) {
	var l Listeners
	var err error
	if l.API, err = httpserver.Listen(s.API, "listen"); err != nil {
		return l, err
	}
	if s.Ops == "" {
		return l, nil
	}
	if l.Ops, err = httpserver.Listen(s.Ops, "ops-listen"); err != nil {
		l.Close()
	}
	return l, err
}

// Close closes the addresses.
func (l Listeners) Close() {
	for _, one := range []net.Listener{l.API, l.Ops} {
		if one != nil {
			one.Close()
		}
	}
}
