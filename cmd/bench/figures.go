package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// figures are counters of calbridge's ops listener, summed over their labels.
type figures struct {
	queries, requests float64
	allocated, allocs float64 // in bytes; number of objects
	listed, caching   float64 // dates in the index of events; 1 if anything is cached now
	searched, bytes   float64 // posts in the search index, and its memory
}

// readFigures reads the counters from the ops listener.
func readFigures(ctx context.Context, ops string) (f figures, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+ops+"/metrics", nil)
	if err != nil {
		return f, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return f, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return f, fmt.Errorf("metrics of %s: %s", ops, res.Status)
	}
	into := map[string]*float64{
		"calbridge_http_request_queries_sum":   &f.queries,
		"calbridge_http_request_queries_count": &f.requests,
		"calbridge_listing_dates":              &f.listed,
		"calbridge_cache_enabled":              &f.caching,
		"calbridge_search_index_posts":         &f.searched,
		"calbridge_search_index_bytes":         &f.bytes,
		"go_memstats_alloc_bytes_total":        &f.allocated,
		"go_memstats_mallocs_total":            &f.allocs,
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		series, value, _ := strings.Cut(lines.Text(), " ")
		name, _, _ := strings.Cut(series, "{")
		sum, ok := into[name]
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return f, fmt.Errorf("metrics: %q: %w", lines.Text(), err)
		}
		*sum += n
	}
	return f, lines.Err()
}

// minus returns the figures with the counters since an earlier reading.
func (f figures) minus(earlier figures) figures {
	f.queries -= earlier.queries
	f.requests -= earlier.requests
	f.allocated -= earlier.allocated
	f.allocs -= earlier.allocs
	return f
}
