package main

import "calbridge/rest/metrics"

func newMeter() meter {
	b := thisBuild()
	return metrics.New(metrics.Build{Version: b.version, Revision: b.revision, GoVersion: b.goVersion})
}
