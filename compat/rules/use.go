package rules

import "fmt"

// Use counts how often a comparison used one rule.
type Use struct {
	Number  int    `json:"number"` // its place in the file, from 1
	Kind    Kind   `json:"kind"`
	What    string `json:"what"` // the path, header or text that it applies to
	Reason  string `json:"reason"`
	Hits    int64  `json:"hits"`    // how many differences it removed
	Expired bool   `json:"expired"` // it was not applied
}

func (u Use) String() string {
	text := fmt.Sprintf("rule %d (%s %s, %s): ", u.Number, u.Kind, u.What, u.Reason)
	switch {
	case u.Expired:
		return text + "expired, not applied"
	case u.Hits == 0:
		return text + "never used"
	}
	return text + "used " + times(u.Hits)
}

// times returns "once" or a number of times.
func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (r *rule) what() string {
	switch {
	case r.Path != "":
		return r.Path
	case r.Header != "":
		return "header " + r.Header
	case r.Status:
		return "status"
	case r.Kind == IDs:
		return fmt.Sprintf("of %d", len(r.IDs))
	}
	return r.From
}

// Conclusion describes the use of a rules file in a comparison.
type Conclusion struct {
	Rules     []Use
	KnownUses []KnownUse
	// Failures are the rules that fail the comparison.
	Failures []string
}

// Conclude summarizes the use of the rules. With strict, a rule that was never used or
// has expired fails the comparison. If only a part of the recordings was compared (not
// whole), only an expired rule does.
func (s *Set) Conclude(strict, whole bool) Conclusion {
	var c Conclusion
	for _, r := range s.rules {
		use := Use{Number: r.number, Kind: r.Kind, Reason: r.Reason, What: r.what(), Hits: r.hits.Load(), Expired: r.expired}
		c.Rules = append(c.Rules, use)
		if strict && (use.Expired || (whole && use.Hits == 0)) {
			c.Failures = append(c.Failures, use.String())
		}
	}
	for _, k := range s.known {
		use := k.use
		c.KnownUses = append(c.KnownUses, use)
		switch {
		case strict && (use.Expired || (whole && use.Seen+use.Passed == 0)):
			c.Failures = append(c.Failures, use.String())
		case !use.Expired && k.Match != nil && use.Seen == 0 && use.Passed > 0 && whole:
			c.Failures = append(c.Failures, use.String()+": take it out of the rules")
		}
	}
	return c
}
