package tribev1

import (
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
)

func TestNumbersAndTexts(t *testing.T) {
	safe := &wprest.Request{Place: &wpsite.Place{Site: &wpsite.Site{Compat: api.Safe}}}
	type verdicts struct{ posInt, posInts, text, textOrEmpty, url bool }
	for in, want := range map[string]verdicts{
		`1`:                        {posInt: true, posInts: true},
		`"1"`:                      {true, true, true, true, false},
		`"1.0"`:                    {true, true, true, true, false},
		`"2e0"`:                    {true, true, true, true, false},
		`" 12"`:                    {true, true, true, true, false},
		`1.0`:                      {posInt: true, posInts: true},
		`0`:                        {textOrEmpty: true, url: true},
		`"0"`:                      {textOrEmpty: true, url: true},
		`-1`:                       {},
		`"-1"`:                     {text: true, textOrEmpty: true},
		`"3.5"`:                    {text: true, textOrEmpty: true},
		`"abc"`:                    {text: true, textOrEmpty: true},
		`""`:                       {textOrEmpty: true, url: true},
		`null`:                     {textOrEmpty: true, url: true},
		`false`:                    {textOrEmpty: true, url: true},
		`true`:                     {posInts: true},
		`[]`:                       {textOrEmpty: true, url: true},
		`["1","2"]`:                {posInts: true},
		`["1","x"]`:                {},
		`"1,2"`:                    {posInts: true, text: true, textOrEmpty: true},
		`"1,0"`:                    {text: true, textOrEmpty: true},
		`"http://a.example"`:       {text: true, textOrEmpty: true, url: true},
		`"http://a.example/b?c#d"`: {text: true, textOrEmpty: true, url: true},
		`"a.example"`:              {text: true, textOrEmpty: true},
		`"//a.example"`:            {text: true, textOrEmpty: true},
		`"http://"`:                {text: true, textOrEmpty: true},
		`"http://a b.example"`:     {text: true, textOrEmpty: true},
		`"http://-a.example"`:      {text: true, textOrEmpty: true},
		`"http://a_b.example"`:     {text: true, textOrEmpty: true},
		`"http://[::1]/"`:          {text: true, textOrEmpty: true, url: true},
		`"http://č.example"`:       {text: true, textOrEmpty: true},
		`"mailto:x@a.example"`:     {text: true, textOrEmpty: true, url: true},
		`"ftp://a.example"`:        {text: true, textOrEmpty: true, url: true},
		`"javascript:alert(1)"`:    {text: true, textOrEmpty: true},
		`"javascript://a.example"`: {text: true, textOrEmpty: true}, // known difference S14
	} {
		v, err := phpjson.Decode([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		website, _ := urlOrEmpty(t.Context(), safe, v)
		text, _ := stringOrEmpty(t.Context(), nil, v)
		got := verdicts{isPositiveInt(v), isPositiveIntList(v), isNonEmptyString(v), text, website}
		if got != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
}
