package wpcap

import (
	"slices"
	"strings"
	"testing"
)

// TestStatuses compares with the list of statuses of the recorded site, and with their flags.
func TestStatuses(t *testing.T) {
	want := strings.Split("publish,future,draft,pending,private,trash,auto-draft,inherit,request-pending,request-confirmed,"+
		"request-failed,request-completed,in-progress,failed,tribe-ea-success,tribe-ea-failed,tribe-ea-schedule,tribe-ea-pending,"+
		"tribe-ea-draft,tribe-ignored", ",")
	if got := StatusNames(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, name := range want {
		status, ok := LookupStatus(name)
		public := name == "publish" || strings.HasPrefix(name, "tribe-ea-")
		if !ok || status != (Status{name, public, name == "private"}) {
			t.Errorf("%s: %+v", name, status)
		}
	}
	if _, ok := LookupStatus("archived"); ok {
		t.Error("an unknown status is registered")
	}
}
