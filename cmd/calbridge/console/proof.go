package console

import (
	"cmp"
	"maps"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"

	"calbridge/cmd/calbridge/figures"
	"calbridge/rest/fragment"
	"calbridge/rest/proof"
)

// maxKinds limits the number of kinds of requests that are shown.
const maxKinds = 100

// Proof describes what mode auto has proved. It has names of fields and arguments, never
// values.
type Proof struct {
	Held     string    `json:"held,omitempty"` // reason why nothing is answered natively
	Native   float64   `json:"native"`         // share of native responses since the start
	States   []Named   `json:"states"`         // number of kinds of requests by state
	Seen     int       `json:"seen"`           // number of posts and terms
	Closed   int       `json:"closed"`
	Compared time.Time `json:"compared,omitzero"`
	// Fragments are the figures of WordPress's own rendering of objects; nil if it isn't kept.
	Fragments *fragment.Figures `json:"fragments,omitempty"`
	Answers   []Answers         `json:"answers"`
	Endings   []Named           `json:"endings"` // what ended proofs, and which unknown tables changed
	// Rules lists what was learned from WordPress's responses. PageCap is the maximum number
	// of entries per page on routes without a rule.
	Rules   []Rule `json:"rules"`
	PageCap int    `json:"page_cap"`
	// Changed lists the names of the facts that changed last.
	Changed []string `json:"changed_facts"`
	// Kinds begins with the kinds that WordPress answers. More is the number of kinds that are
	// not listed.
	Kinds []Kind `json:"kinds"`
	More  int    `json:"more"`
}

// Named is a named count.
type Named struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Answers describes the requests that were answered for the same reason.
type Answers struct {
	By        string  `json:"by"`
	Why       string  `json:"why"`
	PerSecond float64 `json:"per_second"`
	Total     float64 `json:"total"`
}

// Rule describes something that was learned: the largest page of a route, or a header.
type Rule struct {
	What string `json:"what"`
	Name string `json:"name"` // name of the header, or template of the route
	// Entries is the maximum number of entries per page; 0 for headers.
	Entries int64 `json:"entries"`
}

// Kind describes a kind of requests that is proved as a whole.
type Kind struct {
	Route       string      `json:"route"`
	Arguments   string      `json:"arguments"` // names, with the kinds of their values
	Language    string      `json:"language"`
	Answer      string      `json:"answer"`   // media type
	Composed    bool        `json:"composed"` // of WordPress's objects
	Site        string      `json:"site"`     // base URL of the request
	State       proof.State `json:"state"`
	Kept        bool        `json:"kept"` // proved before the last restart
	Identical   int         `json:"identical"`
	Natives     int64       `json:"natives"`
	Differences int64       `json:"differences"`
	Fields      []string    `json:"fields"` // the fields that differed last
	// Causes lists the likely causes of that difference, the likeliest first.
	Causes []string `json:"likely_causes"`
}

// proofNow summarizes a report, with rates between two figures.
func proofNow(r *proof.Report, a, b *figures.Figures) *Proof {
	p := &Proof{Held: r.Held.Means(), Seen: r.Seen, Closed: r.Closed, Compared: r.LastCompared, States: []Named{}, Answers: []Answers{}, Endings: []Named{}, Kinds: []Kind{},
		Fragments: r.Fragments, Rules: rulesOf(r), PageCap: r.PageCap, Changed: append([]string{}, r.Changed...)}
	seconds, all := max(b.At.Sub(a.At).Seconds(), 1e-3), 0.0
	before := a.By("proof_answers_total", "reason")
	for _, m := range b.Families["proof_answers_total"].GetMetric() {
		if answers := answersOf(m, before, seconds); answers.Total > 0 {
			p.Answers = append(p.Answers, answers)
			all += answers.Total
		}
	}
	slices.SortFunc(p.Answers, func(x, y Answers) int {
		return cmp.Or(cmp.Compare(x.By, y.By), cmp.Compare(y.Total, x.Total), cmp.Compare(x.Why, y.Why))
	})
	for _, answers := range p.Answers {
		if answers.Why == "" {
			p.Native = answers.Total / all
		}
	}
	states := map[proof.State]int64{}
	for i := range r.Shapes {
		states[r.Shapes[i].State]++
		p.Kinds = append(p.Kinds, kindOf(&r.Shapes[i]))
	}
	for _, state := range proof.States() {
		p.States = append(p.States, Named{string(state), states[state]})
	}
	order := []proof.State{proof.Differing, proof.Unstable, proof.Proving, proof.Proven}
	slices.SortStableFunc(p.Kinds, func(x, y Kind) int {
		return cmp.Or(slices.Index(order, x.State)-slices.Index(order, y.State), cmp.Compare(y.Natives, x.Natives), cmp.Compare(y.Differences, x.Differences))
	})
	p.More = max(len(p.Kinds)-maxKinds, 0)
	p.Kinds = p.Kinds[:len(p.Kinds)-p.More]
	for _, why := range slices.Sorted(maps.Keys(r.Endings)) {
		p.Endings = append(p.Endings, Named{string(why), r.Endings[why]})
	}
	if f := r.Fragments; f != nil {
		for _, why := range slices.Sorted(maps.Keys(f.Endings)) {
			p.Endings = append(p.Endings, Named{"an object of WordPress: " + string(why), f.Endings[why]})
		}
	}
	for _, v := range r.Volatile {
		for _, name := range v.Members {
			p.Endings = append(p.Endings, Named{"varies by itself: " + name + " in " + v.Route, int64(v.Objects)})
		}
	}
	for _, name := range r.Accompanying {
		p.Endings = append(p.Endings, Named{"changes whenever WordPress is asked: " + name + "; see --harmless-tables", r.Tables[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Tables)) {
		what := "a change of " + name
		if slices.Contains(r.Harmless, name) {
			what += ", which is probably harmless: see --harmless-tables"
		}
		p.Endings = append(p.Endings, Named{what, r.Tables[name]})
	}
	return p
}

// rulesOf returns the rules that were learned, without the values of headers.
func rulesOf(r *proof.Report) []Rule {
	rules := []Rule{}
	for _, learned := range r.PageCaps {
		rules = append(rules, Rule{"largest page", learned.Route, learned.Entries})
	}
	for _, learned := range r.Headers {
		rules = append(rules, Rule{What: learned.Means(), Name: learned.Name})
	}
	for _, name := range r.Varying {
		rules = append(rules, Rule{What: "header that varies, and is left out", Name: name})
	}
	return rules
}

// answersOf returns the requests that a metric counts, with their rate.
func answersOf(m *dto.Metric, before map[string]float64, seconds float64) Answers {
	reason := figures.Label(m, "reason")
	answers := Answers{By: figures.Label(m, "by"), Total: figures.Value(m), PerSecond: max(figures.Value(m)-before[reason], 0) / seconds}
	if answers.By != "calbridge" {
		answers.Why = proof.Reason(reason).Means()
	}
	return answers
}

func kindOf(p *proof.Proof) Kind {
	k := Kind{Route: p.Route, Arguments: p.Arguments, Language: p.Language, Answer: p.Answer, Composed: p.Composed, Site: p.Site, State: p.State, Kept: p.Kept, Identical: p.Identical,
		Natives: p.Natives, Differences: p.Differences, Fields: []string{}, Causes: []string{}}
	if p.Difference != nil && p.State != proof.Proven {
		k.Fields, k.Causes = append(k.Fields, p.Difference.Fields...), append(k.Causes, p.Difference.Causes...)
	}
	return k
}
