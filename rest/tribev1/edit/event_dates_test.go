package edit

import (
	"testing"

	"calbridge/rest/wpsite"
	"calbridge/wpstore/php"
)

func TestConvertedDays(t *testing.T) {
	site := &wpsite.Site{Calendar: &php.Array{}}
	if start, end := wholeDays(site, "2027-03-01 15:00:00", "2027-03-02 01:00:00"); start != "2027-03-01 00:00:00" || end != "2027-03-02 23:59:59" {
		t.Errorf("whole days %s to %s", start, end)
	}
	site.Calendar.SetString("multiDayCutoff", "06:00")
	if start, end := wholeDays(site, "2027-03-01 15:00:00", "2027-03-01 16:00:00"); start != "2027-03-01 06:00:00" || end != "2027-03-02 05:59:59" {
		t.Errorf("with a cutoff %s to %s", start, end)
	}
}
