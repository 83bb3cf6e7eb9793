package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
)

// measuredWrite is a line of the JSON output.
type measuredWrite struct {
	result
	Settings   string  `json:"settings"`
	Events     int     `json:"events"`
	Round      int     `json:"round"`
	Statements float64 `json:"statements,omitempty"`
	RoundTrips float64 `json:"round_trips,omitempty"`
	Rows       int     `json:"rows,omitempty"`
}

// median returns the median of sorted values, or 0 if there are none.
func median(sorted []float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// write prints the medians of all rounds with their ranges, or all rounds as JSON.
func (s *writtenSite) write(settings string) error {
	if s.asJSON {
		return s.writeJSON(settings)
	}
	fmt.Fprintf(s.out, "\n%s, %d events; medians of the rounds, and their ranges; load average %s\n", settings, s.events, loadAverage())
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "write\tserver\tat once\treq/s\trange\tp50 ms\trange\tof old\tof floor\tCPU ms\tdatabase's\tstatements\ttrips\trows\t")
	for _, k := range s.kinds {
		for _, clients := range s.clients {
			for _, server := range s.servers() {
				s.line(w, k, server, clients)
			}
		}
	}
	return w.Flush()
}

func (s *writtenSite) line(w *tabwriter.Writer, k writeKind, server string, clients int) {
	rate := func(server string) []float64 {
		return s.sorted(writeKey{k.name, server, clients}, func(r result) float64 { return r.PerSecond })
	}
	rates := rate(server)
	cpu := func(value func(result) float64) float64 {
		return median(s.sorted(writeKey{k.name, server, clients}, value))
	}
	p50 := s.sorted(writeKey{k.name, server, clients}, func(r result) float64 { return r.P50 })
	share := func(of string) string {
		if of == server || len(rate(of)) == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f", median(rates)/median(rate(of)))
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t%.1f\t%.1f-%.1f\t%.1f\t%.1f-%.1f\t%s\t%s\t%.2f\t%.2f\t", k.name, server, clients, median(rates), rates[0], rates[len(rates)-1],
		median(p50), p50[0], p50[len(p50)-1], share(oldProgram), share(floorName),
		cpu(func(r result) float64 { return r.CPU }), cpu(func(r result) float64 { return r.DatabaseCPU }))
	if server == floorName {
		fmt.Fprintf(w, "\t\t%d\t\n", s.floors[k.name].rows())
		return
	}
	sent := s.sent[server+k.name]
	fmt.Fprintf(w, "%.1f\t%.1f\t\t\n", sent[0], sent[1])
}

func (s *writtenSite) writeJSON(settings string) error {
	encoder := json.NewEncoder(s.out)
	for _, k := range s.kinds {
		for _, clients := range s.clients {
			for _, server := range s.servers() {
				for i, r := range s.figures[writeKey{k.name, server, clients}] {
					line := measuredWrite{result: r, Settings: settings, Events: s.events, Round: i + 1}
					if sent, ok := s.sent[server+k.name]; ok {
						line.Statements, line.RoundTrips = sent[0], sent[1]
					} else {
						line.Rows = s.floors[k.name].rows()
					}
					if err := encoder.Encode(line); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}
