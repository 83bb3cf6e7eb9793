package ticketing

import (
	"slices"
	"strconv"
	"strings"
)

// Currency describes how prices of tickets are shown.
type Currency struct {
	Code string // such as "USD"
	Sign string // in HTML
	// Recorded reports that the sign is known to be that of Event Tickets. Otherwise it is the
	// usual one.
	Recorded                bool
	DecimalPoint, Thousands string
	Decimals                int
}

// signOf returns the sign of a currency in HTML: as recorded from Event Tickets, else the
// character that Unicode has, as a numeric entity, else the code.
func signOf(code string) (sign string, recorded bool) {
	switch code {
	case "USD":
		return "&#x24;", true
	case "EUR":
		return "&#8364;", true
	}
	for _, c := range []struct {
		codes string
		sign  rune
	}{
		{"AUD CAD HKD MXN NZD SGD TWD", '$'}, {"GBP", '£'}, {"JPY CNY", '¥'}, {"INR", '₹'}, {"ILS", '₪'},
		{"KRW", '₩'}, {"PHP", '₱'}, {"RUB", '₽'}, {"THB", '฿'}, {"TRY", '₺'}, {"UAH", '₴'}, {"VND", '₫'},
	} {
		if slices.Contains(strings.Fields(c.codes), code) {
			return "&#" + strconv.Itoa(int(c.sign)) + ";", false
		}
	}
	return code, false
}

// Price returns a decimal number such as "1250.50" as a price: the sign, then the number with
// the currency's separators.
func (c *Currency) Price(number string) string {
	minus := ""
	if digits, negative := strings.CutPrefix(number, "-"); negative {
		number = digits
		if strings.ContainsAny(digits, "123456789") {
			minus = "-"
		}
	}
	whole, decimals, _ := strings.Cut(number, ".")
	out := []byte(c.Sign + minus)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out = append(out, c.Thousands...)
		}
		out = append(out, whole[i])
	}
	if decimals != "" {
		out = append(append(out, c.DecimalPoint...), decimals...)
	}
	return string(out)
}
