package events

import "calbridge/wpstore"

// eventOrder returns the order of a list. Events that start at the same time follow by their
// publication, then by their id.
func eventOrder(q wpstore.EventQuery, dates eventDates) []string {
	start, direction := "MIN("+dates.order+")", ""
	if q.Order.Descending {
		start, direction = "MAX("+dates.order+")", " DESC"
	}
	if q.Order.ByPublication {
		return []string{"p.post_date" + direction, "p.ID" + direction}
	}
	if q.Order.ByDuration {
		return []string{start + direction, dates.duration + direction, "p.post_date" + direction, "p.ID"}
	}
	return []string{start + direction, "p.post_date", "p.ID"}
}
