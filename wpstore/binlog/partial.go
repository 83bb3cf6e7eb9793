package binlog

import (
	"errors"

	"calbridge/wpstore/mysqlwire"
)

// fragments collects the parts of a row event that MariaDB has split, since 12.3, because it is
// longer than binlog_row_event_fragment_threshold.
type fragments struct {
	total, seen uint64
	data        []byte // of the row event, with its header; cut if it gets too long
	cut         bool
}

// errFragments is returned for parts that are missing or out of order.
var errFragments = errors.New("a part of a split row event is missing")

// fragment takes the next part of a split row event, and decodes the event with the last one.
func (d *decoder) fragment(body []byte, truncated bool) error {
	const withSize = 1 // the first part has the size of the row event
	r := mysqlwire.Fields{Rest: body}
	total, number, flags := r.Uint(4), r.Uint(4), r.Uint(1)
	if flags&withSize != 0 {
		r.Skip(8)
	}
	if r.Err != nil {
		return r.Err
	}
	if number == 1 {
		if d.parts.seen > 0 {
			d.emit(&Unknown{Why: errFragments})
		}
		d.parts = fragments{total: total}
	}
	p := &d.parts
	if number != p.seen+1 || total != p.total || number > total {
		d.parts = fragments{}
		d.emit(&Unknown{Why: errFragments})
		return nil
	}
	p.seen = number
	p.add(r.Rest, truncated, d.limit)
	if number < total {
		return nil
	}
	whole := *p
	d.parts = fragments{}
	return d.joined(whole.data, whole.cut)
}

// add adds a part. The beginning of the event, which names its table, is always kept.
func (p *fragments) add(part []byte, truncated bool, limit int) {
	if free := limit - len(p.data); !p.cut && len(part) > free {
		part, truncated = part[:free], true
	}
	if !p.cut {
		p.data = append(p.data, part...)
	}
	p.cut = p.cut || truncated
}

// joined decodes a row event whose parts were joined. A checksum of its own is removed.
func (d *decoder) joined(data []byte, cut bool) error {
	h, err := parseHeader(data)
	if err != nil {
		return err
	}
	form, ok := rowsEvents[h.kind]
	if !ok {
		d.emit(&Unknown{Why: errors.New("a split event without rows")})
		return nil
	}
	if !cut && d.checksums {
		if body, err := verify(data, h); err == nil {
			data = body
		}
	}
	return d.rows(form, data[headerSize:], cut)
}
