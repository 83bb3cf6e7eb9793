package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// writeRivals prints a table with a row for each work and a column for each server, or JSON with one
// object per line.
func writeRivals(out io.Writer, asJSON bool, results []rivalResult) error {
	if asJSON {
		return writeJSON(out, results)
	}
	var works, servers []string
	cells := map[[2]string]string{}
	for _, r := range results {
		if !slices.Contains(works, r.Work) {
			works = append(works, r.Work)
		}
		if !slices.Contains(servers, r.Server) {
			servers = append(servers, r.Server)
		}
		cells[[2]string{r.Work, r.Server}] = r.cell()
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "work\t"+strings.Join(servers, "\t"))
	for _, work := range works {
		row := []string{work}
		for _, server := range servers {
			row = append(row, cells[[2]string{work, server}])
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return w.Flush()
}

// cell returns the text of a result in the table.
func (r *rivalResult) cell() string {
	text := ""
	switch r.form {
	case perSecond:
		text = fmt.Sprintf("%.0f/s, p50 %.1f ms, p99 %.1f ms", r.PerSecond, r.P50, r.P99)
	case perPage:
		text = fmt.Sprintf("%.1f ms a page", 1000/r.PerSecond)
	case ages:
		text = fmt.Sprintf("%.1f %% stale", 100*r.Stale)
		if r.Stale > 0 {
			text += fmt.Sprintf(", by %.0f ms, at most %.0f ms", r.StaleP50, r.Oldest)
		}
	}
	if r.Failed > 0 {
		text += fmt.Sprintf(", %d failed", r.Failed)
	}
	return text
}
