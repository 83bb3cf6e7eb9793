package changefeed

import "testing"

// TestHosts: Amazon's servers, by their answers.
func TestHosts(t *testing.T) {
	for want, settings := range map[Host]map[string]string{
		Aurora: {"aurora_version": "3.08.0", "basedir": "/RDSDBBIN/OSCAR-8.0.MYSQL_AURORA.3.08.0/", "version": "8.0.39"},
		RDS:    {"basedir": "/RDSDBBIN/MYSQL-8.4.3.R1/", "version": "8.4.3"},
		"":     {"basedir": "/USR/", "version": "8.4.3"},
	} {
		if got := hostOf(settings); got != want {
			t.Errorf("%v: %q, want %q", settings, got, want)
		}
	}
}
