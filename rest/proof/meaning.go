package proof

// Means describes in a few words why WordPress answers; "" for None.
func (r Reason) Means() string {
	switch r {
	case None:
		return ""
	case NotReadOnly:
		return "a write"
	case NotAnonymous:
		return "credentials, or a cookie that may be a member's"
	case NotOrdinary:
		return "a header that browsers, proxies and HTTP libraries don't send; name it in --ordinary-headers if no plugin reads it"
	case NotShared:
		return "calbridge would refuse it, or can't render it"
	case NotKnown:
		return "an argument that calbridge doesn't have"
	case NotSite:
		return "another name of the site, of which too many are asked for"
	case NotFollowed:
		return "the binary log isn't followed"
	case NotFacts:
		return "the site's facts are being read, or can't be"
	case NoCompanion:
		return "nobody reports changes of the site's code"
	case Visitors:
		return "code of the site reads visitor data, and may respond to some visitors differently; name it in --harmless-code if it neither hides nor changes events because of that"
	case NotProven:
		return "too few identical answers so far"
	case Differs:
		return "the last comparison found a difference"
	case Disagrees:
		return "WordPress gives two answers to the same request"
	case NotSeen:
		return "shows something that WordPress wasn't seen to show there since it changed"
	case NotFilled:
		return "shows something of which WordPress's own rendering isn't known since it changed"
	case NotRendered:
		return "has a block or shortcode that only WordPress renders, where its objects can't be kept"
	case Closed:
		return "shows something that WordPress refused or left out"
	}
	return string(r)
}
