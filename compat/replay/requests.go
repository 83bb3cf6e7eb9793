package replay

import (
	"net/url"

	"calbridge/compat/recording"
	"calbridge/compat/wire"
)

// requests makes requests for the wire of recorded ones: with the host that the
// recorded site was asked by, and with the passwords of its logins.
type requests struct {
	endpoint wire.Endpoint
	site     *recording.Site   // nil without a site file
	home     *url.URL          // of the site, nil without a site file
	logins   map[string]string // application passwords, before those of the site
}

// bytes is the request of an exchange, changed as it is to be sent.
func (r *requests) bytes(x *recording.Exchange, sent recording.Request) ([]byte, error) {
	authorization := ""
	if x.As != "" && x.As != recording.Anonymous {
		var err error
		if password, given := r.logins[x.As]; given {
			authorization = recording.BasicAuthorization(x.As, password)
		} else if authorization, err = r.site.Authorization(x.As); err != nil {
			return nil, err
		}
	}
	host, scheme := r.hostAndScheme(x)
	return wire.RequestBytes(sent, host, scheme, authorization)
}

// curl is a command line that sends the same.
func (r *requests) curl(x *recording.Exchange, sent recording.Request) string {
	host, scheme := r.hostAndScheme(x)
	return wire.CurlLine(r.endpoint.URL, host, scheme, x.As, sent)
}

// hostAndScheme are those of the site's home: from the site file, or else those
// that were asked according to the recording; failing all, the target's.
func (r *requests) hostAndScheme(x *recording.Exchange) (host, scheme string) {
	if r.home != nil {
		return r.home.Host, r.home.Scheme
	}
	for _, text := range x.Homes() {
		if home, err := url.Parse(text); err == nil && home.Host != "" {
			return home.Host, home.Scheme
		}
	}
	return r.endpoint.Address, "http"
}
