package check

import "testing"

func TestJudgeBinaryLog(t *testing.T) {
	for _, c := range []struct {
		on, format string
		want       Status
	}{
		{"0", "STATEMENT", StatusOK},
		{"OFF", "STATEMENT", StatusOK},
		{"1", "ROW", StatusOK},
		{"ON", "MIXED", StatusOK},
		{"1", "STATEMENT", StatusWarn},
		{"ON", "statement", StatusWarn},
	} {
		var r Report
		r.judgeBinaryLog(c.on, c.format)
		if len(r) != 1 || r[0].Status != c.want || (r[0].Advice != "") != (c.want == StatusWarn) {
			t.Errorf("log_bin %s, binlog_format %s: %+v", c.on, c.format, r)
		}
	}
}
