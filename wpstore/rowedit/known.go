package rowedit

import (
	"calbridge/wpstore"
	"calbridge/wpstore/countcache"
	"calbridge/wpstore/sqlconn"
)

// Known holds facts that one transaction need not read, and those that it leaves behind for the next
// ones; see package countcache.
type Known struct {
	memory *countcache.Memory
	// usable reports that the transaction may use the facts, counts that it may use those about counts
	// of terms. It records in either case what it leaves behind.
	usable, counts bool
	// left holds the facts that it leaves behind, taken from the memory or read since epoch.
	left  countcache.Left
	epoch uint64
	begun bool
}

// NewKnown returns the facts of a memory, which may be nil. caughtUp is false if the request must see
// changes that the memory may lack: the facts are not used then. miscounted reports that the counts of
// terms are wrong on purpose: they are not used.
func NewKnown(memory *countcache.Memory, caughtUp, miscounted bool) *Known {
	return &Known{memory: memory, usable: caughtUp, counts: caughtUp && !miscounted,
		left: countcache.Left{Counts: map[int64]int64{}, Terms: map[string][]wpstore.Term{}}}
}

// since records the epoch of the first fact that is used or read.
func (k *Known) since(epoch uint64) {
	if !k.begun {
		k.epoch, k.begun = epoch, true
	}
}

// Usable reports whether the transaction may use the facts.
func (k *Known) Usable() bool { return k.usable }

// countsOf returns the values that may be stored as counts, by term_taxonomy_id, and their epoch.
func (k *Known) countsOf(terms []int64) (values map[int64][]int64, epoch uint64) {
	values, epoch = k.memory.Known(terms)
	k.since(epoch)
	if !k.counts {
		return nil, epoch
	}
	return values, epoch
}

// Range reports whether some text is the range of all events as a transaction of ours has
// left it, but for the posts that others have changed since; "" stands for any text.
func (k *Known) Range(text string) bool {
	known, epoch := k.memory.Range(text)
	k.since(epoch)
	return known && k.usable
}

// Touched returns the posts that others have changed. Call it before the range is read.
func (k *Known) Touched() (posts []int64) {
	posts, k.left.Touched = k.memory.Touched()
	return posts
}

// SetRange records the text of the option with the range of all events, "" for none, as it is
// after what was read behind Touched.
func (k *Known) SetRange(text string) { k.left.Range = text }

// Terms returns terms that need not be read, by what is asked; their counts may be old ones.
func (k *Known) Terms(asked string) (terms []wpstore.Term, known bool) {
	terms, known, edition := k.memory.Terms(asked)
	k.since(k.memory.Epoch())
	if len(k.left.Terms) == 0 {
		k.left.Edition = edition
	}
	return terms, known && k.usable
}

// SetTerms records terms that were read because Terms has none.
func (k *Known) SetTerms(asked string, terms []wpstore.Term) { k.left.Terms[asked] = terms }

// Used returns the id of a post above which none has terms, occurrences or metadata, but for
// those that this transaction and others of ours are making; 0 where that has to be read.
func (k *Known) Used() int64 {
	if k.left.Used > 0 {
		return k.left.Used
	}
	id, epoch := k.memory.Used()
	k.since(epoch)
	if !k.usable {
		return 0
	}
	return id
}

// SetUsed records the greatest id of an object with terms, or of a post with occurrences or
// metadata, that was read because Used does not return it.
func (k *Known) SetUsed(id int64) { k.left.Used = id }

// Committing prepares the memory for the commit of the transaction. The result gets the
// outcome.
func (r *Rows) Committing() sqlconn.Ended {
	k := r.Known
	forget := func() {
		if r.Changed.termsEdited {
			k.memory.ForgetTerms()
		}
		if r.Changed.beyond {
			k.memory.Forget()
		}
	}
	forget()
	ended := k.memory.Commit(k.left, k.epoch)
	return func(gtid string, err error) {
		ended(gtid, err)
		forget() // others may have read before the commit
	}
}
