package compat

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"maps"
	"slices"
	"strings"
)

// errorSample is one message as it was seen, with what of its request and answer
// it may repeat.
type errorSample struct {
	base, key, message string
	params             string // names of arguments, joined
	id, login          string
	detail             bool   // a detail of an argument
	param              string // the argument, of a detail
	route, method      string // of the request, for the advertised argument
	fields             string // names of the request's fields, joined with "&"
}

func (b *ProfileBuilder) addErrors(base string, x *recording.Exchange, facts requestFacts, root *jsontree.Node) {
	if root.Member("code").Text() == "" || !root.Member("message").Is(jsontree.String) {
		return
	}
	s := errorSample{base: base, route: b.relative(facts.route), method: facts.method, id: facts.id()}
	if x.Response.Status == 401 {
		s.login = login(x.Request)
	}
	b.addError(s, facts, root)
	if more := root.Member("additional_errors"); more.Is(jsontree.Array) {
		for _, err := range more.Items {
			b.addError(s, facts, err)
		}
	}
}

func (b *ProfileBuilder) addError(s errorSample, facts requestFacts, err *jsontree.Node) {
	code := err.Member("code").Text()
	if code == "" {
		return
	}
	data := err.Member("data")
	top := s
	top.key, top.message, top.params = code, err.Member("message").Text(), joinedParams(data.Member("params"))
	top.route, top.method = "", ""
	b.sample(top)
	if text := data.Text(); strings.Contains(text, " ") {
		top.key, top.message, top.fields = code+".data", text, fieldNames(facts)
		b.sample(top)
	}
	b.addDetails(s, data)
}

// addDetails takes the texts about single arguments from the data of an error.
func (b *ProfileBuilder) addDetails(s errorSample, data *jsontree.Node) {
	params, details := data.Member("params"), data.Member("details")
	if !params.Is(jsontree.Object) {
		return
	}
	s.id, s.login = "", ""
	for i, name := range params.Names {
		detail := details.Member(name)
		if detail == nil {
			plain := s
			plain.key, plain.message, plain.detail, plain.route, plain.method = "invalid_param", params.Items[i].Text(), true, "", ""
			b.sample(plain)
			continue
		}
		one := s
		one.key, one.message, one.detail, one.param = detail.Member("code").Text(), detail.Member("message").Text(), true, name
		if path := detail.Member("data").Member("param").Text(); path != "" {
			one.param = path
		}
		b.sample(one)
	}
}

func (b *ProfileBuilder) sample(s errorSample) {
	if s.key == "" || s.message == "" {
		return
	}
	if b.errors[s] == 0 {
		b.errorOrder = append(b.errorOrder, s)
	}
	b.errors[s]++
}

// joinedParams are the names of data.params, a list of names or a map by name.
func joinedParams(params *jsontree.Node) string {
	if params.Is(jsontree.Object) {
		return strings.Join(params.Names, ", ")
	}
	return strings.Join(jsontree.Texts(params), ", ")
}

func fieldNames(facts requestFacts) string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(facts.body)), maps.Keys(facts.query))
	slices.Sort(names)
	return strings.Join(names, "&")
}

// countErrors makes templates of the messages, now that the advertised arguments
// are known as far as they were recorded.
func (b *ProfileBuilder) countErrors() {
	for _, s := range b.errorOrder {
		t := template{text: s.message, weight: b.errors[s]}
		b.fill(&t, &s)
		b.vote(s.base, slot{section: sectionErrors, key: s.key}, t.text, t.weight)
	}
	b.errors, b.errorOrder = map[errorSample]int{}, nil
}

// fill puts placeholders for what the message repeats.
func (b *ProfileBuilder) fill(t *template, s *errorSample) {
	switch {
	case s.params != "":
		t.replaceLast(s.params, "{params}")
	case s.detail && s.param != "" && strings.HasPrefix(s.key, "rest_"):
		b.fillDetail(t, s)
	case s.fields != "":
		t.replaceFields(strings.Split(s.fields, "&"))
	case s.key == "duplicate_term_slug":
		t.replaceQuoted("{slug}")
	case !s.detail:
		if s.login != "" {
			t.replaceLast(s.login, "{login}")
		}
		if s.id != "" {
			t.replaceLast(s.id, "{id}")
		}
	}
}

// fillDetail makes a template of a message of WordPress's schema checks, which
// begin with the argument's name.
func (b *ProfileBuilder) fillDetail(t *template, s *errorSample) {
	t.replaceFirst(s.param, "{param}")
	name, _, _ := strings.Cut(s.param, "[")
	arg := b.arg(s.route, s.method, name)
	switch s.key {
	case "rest_invalid_type":
		if arg.typ == "" || !t.replaceLast(arg.typ, "{type}") {
			t.replaceType()
		}
	case "rest_not_in_enum":
		separators, found := t.replaceList(arg.enum, "{enum}")
		if !found {
			t.weight = 0
			return
		}
		if len(arg.enum) == 1 {
			s.key = "rest_not_in_enum.one"
		}
		for word, text := range separators {
			b.vote(s.base, slot{section: sectionWords, key: word}, text, 1)
		}
	}
}
