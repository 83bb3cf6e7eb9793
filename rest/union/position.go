package union

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"slices"

	"calbridge/rest/changes/stream"
)

// position holds the places of a client in the changes of many sites.
type position struct {
	// next is the site at which a round goes on; 0 between two rounds.
	next   int64
	places []place // in the order of their ids
}

// place holds the token up to which a client has the changes of one site.
type place struct {
	site int64
	// reason explains why the site could not answer last; "" if it could.
	reason string
	// token is the site's own token. Nil means that the client has none of its events.
	token []byte
	// within reports that the token is a page token, listing that the pages are those of the site's list.
	within, listing bool
}

// of returns the place of a site.
func (p *position) of(site int64) place {
	for _, at := range p.places {
		if at.site == site {
			return at
		}
	}
	return place{site: site}
}

// same reports whether a client at p and one at other have the same sites, and missed the same ones. The tokens
// of the sites differ each time.
func (p *position) same(other position) bool {
	return p.next == other.next && slices.EqualFunc(p.places, other.places, func(a, b place) bool {
		return a.site == b.site && a.reason == b.reason && (a.token == nil) == (b.token == nil)
	})
}

// positionVersion is the first byte of a token. It changes with the layout.
const positionVersion = 1

const (
	reasonBits = 3
	withinBit  = 1 << 2
	listingBit = 1 << 3
)

// reasons returns the reasons by their number in tokens.
func reasons() []string { return []string{"", closed, failed, notProven} }

// token returns the position as clients see it. The tokens of the sites in it are sealed by their sites; the
// rest is not secret, and a client that changes it harms its own copy only.
func (p *position) token() string {
	b := binary.AppendVarint([]byte{positionVersion}, p.next)
	for _, at := range p.places {
		flags := byte(slices.Index(reasons(), at.reason))
		if at.within {
			flags |= withinBit
		}
		if at.listing {
			flags |= listingBit
		}
		raw, err := base64.RawURLEncoding.DecodeString(string(at.token))
		if err != nil { // no site makes such tokens; its list is sent again
			raw = nil
		}
		b = append(binary.AppendVarint(b, at.site), flags)
		b = append(binary.AppendUvarint(b, uint64(len(raw))), raw...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

var errPosition = errors.New("not a position")

// parsePosition returns the position of a token; "" is the beginning. The error is a refusal.
func parsePosition(text string) (p position, err error) {
	if text == "" {
		return p, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	switch {
	case err != nil:
		return p, goneBecause("malformed")
	case len(b) == 0 || b[0] != positionVersion:
		return p, goneBecause("foreign")
	}
	if p, err = decodePosition(b[1:]); err != nil {
		return position{}, goneBecause("malformed")
	}
	return p, nil
}

func decodePosition(b []byte) (p position, err error) {
	number := func() (n int64) {
		n, size := binary.Varint(b)
		if size <= 0 {
			err, b = errPosition, nil
			return 0
		}
		b = b[size:]
		return n
	}
	for p.next = number(); err == nil && len(b) > 0; {
		at := place{site: number()}
		if err != nil || len(b) == 0 || b[0] > reasonBits|withinBit|listingBit {
			return p, errPosition
		}
		flags := b[0]
		at.reason, at.within, at.listing = reasons()[flags&reasonBits], flags&withinBit != 0, flags&listingBit != 0
		length, size := binary.Uvarint(b[1:])
		if size <= 0 || length > uint64(len(b)-1-size) {
			return p, errPosition
		}
		if b = b[1+size:]; length > 0 {
			at.token = []byte(base64.RawURLEncoding.EncodeToString(b[:length]))
			b = b[length:]
		}
		if n := len(p.places); n == maxChangeSites || n > 0 && p.places[n-1].site >= at.site {
			return p, errPosition
		}
		p.places = append(p.places, at)
	}
	return p, err
}

// goneBecause returns the refusal of a token that can't be used.
func goneBecause(reason string) error {
	return &refusal{status: http.StatusGone, gone: stream.Gone(reason), body: encode(map[string]any{
		"code": tokenGone, "message": "The sync token can't be used any more. Begin without it.", "data": map[string]any{"status": http.StatusGone, "reason": reason},
	})}
}

// goneReason returns the reason of an error of parsePosition.
func goneReason(err error) stream.Gone {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused.gone
	}
	return "malformed"
}
