package wpcap

import "slices"

// Status is a registered post status. One without flags is neither public nor covered
// by the capability to read private posts.
type Status struct {
	Name    string
	Public  bool // visible to every reader
	Private bool // needs the capability to read private posts
}

// statuses is the table of post statuses, in the order of their registration by WordPress, the
// bundled scheduler and The Events Calendar. The last six are the calendar's: states of import
// records and events that imports leave out.
var statuses = []Status{
	{Name: "publish", Public: true},
	{Name: "future"},
	{Name: "draft"},
	{Name: "pending"},
	{Name: "private", Private: true},
	{Name: "trash"},
	{Name: "auto-draft"},
	{Name: "inherit"},
	{Name: "request-pending"},
	{Name: "request-confirmed"},
	{Name: "request-failed"},
	{Name: "request-completed"},
	{Name: "in-progress"},
	{Name: "failed"},
	{Name: "tribe-ea-success", Public: true},
	{Name: "tribe-ea-failed", Public: true},
	{Name: "tribe-ea-schedule", Public: true},
	{Name: "tribe-ea-pending", Public: true},
	{Name: "tribe-ea-draft", Public: true},
	{Name: "tribe-ignored"},
}

// StatusNames returns the names of all registered statuses in their order.
func StatusNames() []string {
	names := make([]string, len(statuses))
	for i, s := range statuses {
		names[i] = s.Name
	}
	return names
}

// LookupStatus returns the status with the name; ok is false for an unknown one.
func LookupStatus(name string) (status Status, ok bool) {
	i := slices.IndexFunc(statuses, func(s Status) bool { return s.Name == name })
	if i < 0 {
		return Status{}, false
	}
	return statuses[i], true
}
