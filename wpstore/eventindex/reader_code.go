package eventindex

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"calbridge/i18n"
)

// AppendBinary implements encoding.BinaryAppender, for a later process that goes on with the
// same states. It never fails.
func (r *StateReader) AppendBinary(b []byte) ([]byte, error) {
	flags := int64(0)
	for i, set := range []bool{r.defaults.Occurrences, r.defaults.UTC, r.tables.Occurrences} {
		if set {
			flags |= 1 << i
		}
	}
	b = binary.AppendVarint(b, flags)
	for _, t := range append([]string{string(r.tables.Languages)}, r.taxonomies...) {
		b = append(binary.AppendVarint(b, int64(len(t))+1), t...)
	}
	b = binary.AppendVarint(b, 0)
	b = binary.AppendVarint(b, int64(len(r.terms)))
	for _, id := range slices.Sorted(maps.Keys(r.terms)) {
		t := r.terms[id]
		for _, n := range []int64{id, t.Term, int64(t.Taxonomy)} {
			b = binary.AppendVarint(b, n)
		}
	}
	return b, nil
}

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (r *StateReader) UnmarshalBinary(b []byte) error {
	d := stateDecoder{b: b, ok: true}
	flags := d.number()
	for i, set := range []*bool{&r.defaults.Occurrences, &r.defaults.UTC, &r.tables.Occurrences} {
		*set = flags>>i&1 != 0
	}
	var texts []string
	for {
		n := d.number() - 1
		if n < 0 {
			break
		}
		if n > int64(len(d.b)) {
			return ErrState
		}
		texts = append(texts, string(d.b[:n]))
		d.b = d.b[n:]
	}
	if len(texts) == 0 {
		return ErrState
	}
	r.tables.Languages, r.taxonomies = i18n.Plugin(texts[0]), texts[1:]
	r.terms = terms{}
	for range d.count() {
		id := d.number()
		t := TermRow{TaxonomyID: id, Term: d.number(), Taxonomy: int(d.number())}
		if t.Taxonomy < 0 || t.Taxonomy >= len(r.taxonomies) {
			return ErrState
		}
		r.terms[id] = t
	}
	if !d.ok || len(d.b) > 0 {
		return ErrState
	}
	return nil
}

// Current reports whether a site still stores dates and languages as when the reader was made,
// so that states mean the same; its terms may differ, see Reread.
func (r *StateReader) Current(ctx context.Context, from Source) (bool, error) {
	defaults, err := from.Defaults(ctx)
	if err != nil {
		return false, err
	}
	tables, err := from.Tables(ctx)
	if err != nil {
		return false, err
	}
	tables.Occurrences = tables.Occurrences && defaults.Occurrences
	return defaults == r.defaults && tables == r.tables && slices.Equal(r.taxonomies, indexedTaxonomies(from)), nil
}
