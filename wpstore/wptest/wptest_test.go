package wptest_test

import (
	"testing"

	"calbridge/wpstore/wptest"
)

func TestSites(t *testing.T) {
	for _, engine := range wptest.Engines() {
		for _, site := range []string{"mono", "wpml", "poly"} {
			t.Run(engine+"/"+site, func(t *testing.T) {
				t.Log(wptest.Site(t, engine, site))
				t.Log(wptest.Site(t, engine, site))
			})
		}
	}
}
