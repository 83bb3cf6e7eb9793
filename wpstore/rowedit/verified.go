package rowedit

import (
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/verified"
)

// Unaccounted notes that the transaction changes what has terms in other ways than their
// counts say.
func (r *Rows) Unaccounted() { r.unaccounted = true }

// leaves begins to note what the transaction leaves behind.
func (r *Rows) leaves(epoch uint64) {
	if r.left == nil {
		r.left, r.epoch = &verified.Left{Counts: map[int64]int64{}}, epoch
	}
}

// RangeKnown reports whether some text is the range of all events as a transaction of ours has
// left it, but for the posts that others have changed since; "" stands for any text.
func (r *Rows) RangeKnown(text string) bool {
	known, epoch := r.Verified.Range(text)
	r.leaves(epoch)
	return known && r.Proven
}

// RangeTouched returns the posts that others have changed. Call it after [Rows.RangeKnown].
func (r *Rows) RangeTouched() (posts []int64) {
	posts, r.left.Touched = r.Verified.Touched()
	return posts
}

// RangeLeft notes the text of the option with the range of all events, "" for none, as it is
// after what was read behind RangeTouched.
func (r *Rows) RangeLeft(text string) { r.left.Range = text }

// Committing notes that the transaction is about to be committed. The result gets the
// outcome.
func (r *Rows) Committing() sqlconn.Ended {
	forget := func() {
		if r.Changed.termsEdited {
			r.Verified.ForgetTerms()
		}
		if r.unaccounted || r.Changed.beyond {
			r.Verified.Forget()
		}
	}
	forget()
	var left verified.Left
	if r.left != nil {
		left = *r.left
	}
	ended := r.Verified.Commit(left, r.epoch)
	return func(gtid string, err error) {
		ended(gtid, err)
		forget() // others may have read before the commit
	}
}

// KnownTerms returns terms that need not be read, by what is asked; their counts may be old ones.
func KnownTerms(r *Rows, asked string) (terms []wpstore.Term, known bool) {
	terms, known, edition := r.Verified.Terms(asked)
	r.leaves(r.Verified.Epoch())
	if r.left.Terms == nil {
		r.left.Terms, r.left.Edition = map[string][]wpstore.Term{}, edition
	}
	return terms, known && r.Proven
}

// TermsRead notes terms that were read because KnownTerms has none.
func TermsRead(r *Rows, asked string, terms []wpstore.Term) { r.left.Terms[asked] = terms }

// Used returns the id of a post above which none has terms, occurrences or metadata, but for
// those that this transaction and others of ours are making; 0 where that has to be read.
func Used(r *Rows) int64 {
	if r.left != nil && r.left.Used > 0 {
		return r.left.Used
	}
	id, epoch := r.Verified.Used()
	r.leaves(epoch)
	if !r.Proven {
		return 0
	}
	return id
}

// UsedRead notes the greatest id of an object with terms, or of a post with occurrences or
// metadata, that was read because Used does not return it.
func UsedRead(r *Rows, id int64) { r.left.Used = id }
