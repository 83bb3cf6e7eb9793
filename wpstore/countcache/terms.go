package countcache

import "calbridge/wpstore"

const (
	// maxAnswers bounds the questions whose answers are remembered.
	maxAnswers = 1 << 10
	// maxAnswer bounds the texts of one of them, in bytes.
	maxAnswer = 4 << 10
)

// knownTerms are terms by what was asked.
type knownTerms struct {
	// edition grows when all are forgotten.
	edition uint64
	answers map[string][]wpstore.Term
}

func (k *knownTerms) forget() {
	k.edition++
	k.answers = nil
}

// add adds answers that were read since an edition.
func (k *knownTerms) add(answers map[string][]wpstore.Term, edition uint64) {
	if k.edition != edition {
		return
	}
	for asked, terms := range answers {
		size := len(asked)
		for _, t := range terms {
			size += len(t.Name) + len(t.Slug) + len(t.Description)
		}
		if size > maxAnswer {
			continue
		}
		if k.answers == nil || len(k.answers) >= maxAnswers {
			k.answers = map[string][]wpstore.Term{}
		}
		k.answers[asked] = terms
	}
}

// Terms returns the terms that a question was answered with last, and the present edition of
// all terms. Their counts may be old ones. The caller must not change them.
func (m *Memory) Terms(asked string) (terms []wpstore.Term, known bool, edition uint64) {
	if m == nil {
		return nil, false, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.settled() {
		return nil, false, m.terms.edition
	}
	terms, known = m.terms.answers[asked]
	return terms, known, m.terms.edition
}

// ForgetTerms forgets all terms. A transaction that changes one calls it before and after
// its COMMIT: others may read the old one between the two.
func (m *Memory) ForgetTerms() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.terms.forget()
}
