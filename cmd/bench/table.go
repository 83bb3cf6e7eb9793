package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// writeJSON prints results as JSON, one object per line.
func writeJSON[T any](out io.Writer, results []T) error {
	encoder := json.NewEncoder(out)
	for _, r := range results {
		if err := encoder.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// writeResults prints results as a table, or as JSON with one object per line.
func writeResults(out io.Writer, asJSON bool, results []result) error {
	if asJSON {
		return writeJSON(out, results)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "request\tserver\tat once\treq/s\tp50 ms\tp99 ms\tCPU ms\tqueries\tKiB alloc.\tallocs\tMiB res.\tbytes\t")
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%s\t%d\t%.0f\t%.2f\t%.2f\t%.3f\t%.1f\t%.0f\t%.0f\t%.0f\t%d\t\n",
			r.Name, r.Server, r.Concurrency, r.PerSecond, r.P50, r.P99, r.CPU, r.Queries, r.AllocKiB, r.Allocs, r.ResidentMiB, r.Bytes)
	}
	return w.Flush()
}
