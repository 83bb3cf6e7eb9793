package eventindex

import (
	"encoding/binary"
	"errors"
)

// ErrState says that bytes are no state of an event, or no reader of states.
var ErrState = errors.New("no state of an event")

// AppendBinary implements encoding.BinaryAppender. It never fails.
func (s State) AppendBinary(b []byte) ([]byte, error) {
	number := func(n int64) { b = binary.AppendVarint(b, n) }
	text := func(t string) {
		number(int64(len(t)))
		b = append(b, t...)
	}
	flags := int64(0)
	for i, set := range []bool{s.Protected, s.Blank, s.Featured, s.Unreadable, s.hidden} {
		if set {
			flags |= 1 << i
		}
	}
	number(flags)
	number(s.ID)
	number(s.Author)
	number(s.Parent)
	number(int64(s.Published))
	text(s.Status)
	number(int64(len(s.Dates)))
	for _, d := range s.Dates {
		for _, at := range []date{d.Start, d.End, d.StartUTC, d.EndUTC} {
			number(int64(at))
		}
	}
	for _, ids := range [][]int64{s.Categories, s.Tags, s.Venues, s.Organizers, s.LanguageTerms} {
		number(int64(len(ids)))
		for _, id := range ids {
			number(id)
		}
	}
	number(int64(len(s.Languages)))
	for _, code := range s.Languages {
		text(code)
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (s *State) UnmarshalBinary(b []byte) error {
	d := stateDecoder{b: b, ok: true}
	flags := d.number()
	for i, set := range []*bool{&s.Protected, &s.Blank, &s.Featured, &s.Unreadable, &s.hidden} {
		*set = flags>>i&1 != 0
	}
	s.ID, s.Author, s.Parent, s.Published = d.number(), d.number(), d.number(), date(d.number())
	s.Status = d.text()
	s.Dates = make([]dates, d.count())
	for i := range s.Dates {
		s.Dates[i] = dates{date(d.number()), date(d.number()), date(d.number()), date(d.number())}
	}
	for _, ids := range []*[]int64{&s.Categories, &s.Tags, &s.Venues, &s.Organizers, &s.LanguageTerms} {
		*ids = make([]int64, d.count())
		for i := range *ids {
			(*ids)[i] = d.number()
		}
	}
	s.Languages = make([]string, d.count())
	for i := range s.Languages {
		s.Languages[i] = d.text()
	}
	if !d.ok || len(d.b) > 0 {
		return ErrState
	}
	return nil
}

// stateDecoder reads numbers and texts until something doesn't fit.
type stateDecoder struct {
	b  []byte
	ok bool
}

func (d *stateDecoder) number() int64 {
	n, size := binary.Varint(d.b)
	if size <= 0 {
		d.ok, d.b = false, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count returns a number of things of which each takes a byte at least.
func (d *stateDecoder) count() int {
	n := d.number()
	if n < 0 || n > int64(len(d.b)) {
		d.ok = false
		return 0
	}
	return int(n)
}

func (d *stateDecoder) text() string {
	n := d.count()
	out := string(d.b[:n])
	d.b = d.b[n:]
	return out
}
