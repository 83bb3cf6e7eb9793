package proof

// Means says in a few words why WordPress answers; "" for None.
func (r Reason) Means() string {
	switch r {
	case None:
		return ""
	case NotReadOnly:
		return "a write"
	case NotAnonymous:
		return "credentials, or a cookie that may be a member's"
	case NotShared:
		return "calbridge would refuse it, or can't render it"
	case NotKnown:
		return "an argument that calbridge doesn't have"
	case NotFollowed:
		return "the binary log isn't followed"
	case NotFacts:
		return "the site's facts are being read, or can't be"
	case NoCompanion:
		return "nobody reports changes of the site's code"
	case NotProven:
		return "too few identical answers so far"
	case Differs:
		return "the last comparison found a difference"
	case Disagrees:
		return "WordPress gives two answers to the same request"
	case NotSeen:
		return "shows something that WordPress wasn't seen to show there since it changed"
	case Closed:
		return "shows something that WordPress refused or left out"
	}
	return string(r)
}
