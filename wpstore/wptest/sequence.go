package wptest

import (
	"fmt"
	"strings"
)

// Sequence returns a derived table for FROM with a column seq that counts from first to
// last, in no particular order. Only MariaDB has seq_1_to_700.
func Sequence(first, last int) string {
	const digits = "(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4" +
		" UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) d%d"
	var sum, from []string
	for i, weight := 0, 1; weight <= last-first; i, weight = i+1, 10*weight {
		sum, from = append(sum, fmt.Sprintf("%d*d%d.n", weight, i)), append(from, fmt.Sprintf(digits, i))
	}
	if sum == nil {
		return fmt.Sprintf("(SELECT %d seq) sequence", first)
	}
	text := strings.Join(sum, "+")
	return fmt.Sprintf("(SELECT %d+%s seq FROM %s WHERE %s <= %d) sequence", first, text, strings.Join(from, ", "), text, last-first)
}
