package explain

import (
	"net/http"
	"time"

	"calbridge/compat/jsontree"
)

// expired takes the target's tickets of events where the reference has none, if the sale of all of
// them is over (known difference D12).
func (x *explaining) expired(p *pair) {
	now, err := http.ParseTime(x.Got.Header("date"))
	if err != nil {
		return
	}
	events := map[string]*jsontree.Node{}
	p.got.root.Walk(func(n *jsontree.Node) {
		if id := n.Member("id"); id != nil && n.Member("ticketed") != nil {
			events[id.Plain()] = n
		}
	})
	p.recorded.root.Walk(func(n *jsontree.Node) {
		id, ticketed := n.Member("id"), n.Member("ticketed")
		if id == nil || ticketed == nil || ticketed.Raw() != "false" {
			return
		}
		got := events[id.Plain()]
		data := got.Member("json_ld")
		offers := data.Member("offers")
		if len(itemsOf(got.Member("ticketed"))) == 0 || n.Member("json_ld").Member("offers") != nil || !allBefore(offers, now) {
			return
		}
		p.use(ticketed, got.Member("ticketed"))
		p.got.drops[offers] = true
		p.add("D12", "$..ticketed", "no ticket", "a ticket whose sale is over")
	})
}

// allBefore reports whether there are offers, and all end before a time.
func allBefore(offers *jsontree.Node, now time.Time) bool {
	for _, offer := range itemsOf(offers) {
		ends, err := time.Parse(time.RFC3339, offer.Member("validThrough").Text())
		if err != nil || !ends.Before(now) {
			return false
		}
	}
	return len(itemsOf(offers)) > 0
}
