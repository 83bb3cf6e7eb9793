package cost

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/wptext/typography"
)

// numbersIn finds the texts that TEC treats as numbers: an optional leading separator, digits, an
// optional separator and more digits. decimals is the number of digits after the inner separator.
func numbersIn(s string) (numbers []string, decimals int) {
	for i := 0; i < len(s); {
		start := i
		if isSeparator(s[i]) && i+1 < len(s) && isDigitByte(s[i+1]) {
			i++
		}
		if !isDigitByte(s[i]) {
			i++
			continue
		}
		for i < len(s) && isDigitByte(s[i]) {
			i++
		}
		if i < len(s) && isSeparator(s[i]) {
			i++
			frac := i
			for i < len(s) && isDigitByte(s[i]) {
				i++
			}
			decimals = max(decimals, i-frac)
		}
		numbers = append(numbers, s[start:i])
	}
	return numbers, decimals
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }
func isSeparator(c byte) bool { return c == ',' || c == '.' }

// formatDecimals rounds half away from zero, as PHP's number_format does.
func formatDecimals(f float64, decimals int) string {
	shift := math.Pow10(decimals)
	if r := math.Round(f * shift); !math.IsInf(r, 0) {
		f = r / shift
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// plainNumber removes the thousands separators of a price and writes its decimal
// separator as a point, guessing from the text which is which.
func plainNumber(s string, loc *typography.Locale) string {
	decimal, thousands := loc.DecimalPoint, loc.ThousandsSeparator
	runs := separatorRuns(s)
	switch {
	case len(runs) > 1:
		decimal, thousands = runs[len(runs)-1], runs[0]
	case len(runs) == 1:
		last := s[strings.LastIndex(s, runs[0])+len(runs[0]):]
		if len(last) != 3 {
			decimal = runs[0]
			if decimal == loc.DecimalPoint {
				thousands = loc.ThousandsSeparator
			} else {
				thousands = loc.DecimalPoint
			}
		}
	}
	s = strings.ReplaceAll(s, thousands, "")
	return strings.ReplaceAll(s, decimal, ".")
}

// separatorRuns returns the distinct runs of points and commas, in order.
func separatorRuns(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		if !isSeparator(s[i]) {
			i++
			continue
		}
		j := i
		for j < len(s) && isSeparator(s[j]) {
			j++
		}
		if !slices.Contains(out, s[i:j]) {
			out = append(out, s[i:j])
		}
		i = j
	}
	return out
}
