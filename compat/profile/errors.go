package profile

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// errorSample is one recorded message, with the parts of its request and answer that the
// message may repeat.
type errorSample struct {
	from          source
	key, message  string
	params        string // names of arguments, joined
	id, login     string
	detail        bool   // a detail of an argument
	param         string // the argument, of a detail
	route, method string // of the request, for the advertised argument
	fields        string // names of the request's fields, joined with "&"
}

// errorSamples holds the recorded messages until the advertised arguments are complete.
type errorSamples struct {
	counts map[errorSample]int
	order  []errorSample
}

// add collects the messages of an answer. below is the request's route without the
// namespace.
func (e *errorSamples) add(from source, x *recording.Exchange, request wprest.Request, below string, root *jsontree.Node) {
	if root.Member("code").Text() == "" || !root.Member("message").Is(jsontree.String) {
		return
	}
	s := errorSample{from: from, route: below, method: request.Method, id: request.ID()}
	if x.Response.Status == 401 {
		s.login = login(x.Request)
	}
	e.addError(s, request, root)
	if more := root.Member("additional_errors"); more.Is(jsontree.Array) {
		for _, err := range more.Items {
			e.addError(s, request, err)
		}
	}
}

func (e *errorSamples) addError(s errorSample, request wprest.Request, err *jsontree.Node) {
	code := err.Member("code").Text()
	if code == "" {
		return
	}
	data := err.Member("data")
	top := s
	top.key, top.message, top.params = code, err.Member("message").Text(), joinedParams(data.Member("params"))
	top.route, top.method = "", ""
	e.sample(top)
	if text := data.Text(); strings.Contains(text, " ") {
		top.key, top.message, top.fields = code+".data", text, fieldNames(request)
		e.sample(top)
	}
	e.addDetails(s, data)
}

// addDetails collects the texts about single arguments from the data of an error.
func (e *errorSamples) addDetails(s errorSample, data *jsontree.Node) {
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
			e.sample(plain)
			continue
		}
		one := s
		one.key, one.message, one.detail, one.param = detail.Member("code").Text(), detail.Member("message").Text(), true, name
		if path := detail.Member("data").Member("param").Text(); path != "" {
			one.param = path
		}
		e.sample(one)
	}
}

func (e *errorSamples) sample(s errorSample) {
	if s.key == "" || s.message == "" {
		return
	}
	if e.counts[s] == 0 {
		e.order = append(e.order, s)
	}
	e.counts[s]++
}

// joinedParams returns the names of data.params, a list of names or a map by name.
func joinedParams(params *jsontree.Node) string {
	if params.Is(jsontree.Object) {
		return strings.Join(params.Names, ", ")
	}
	return strings.Join(jsontree.Texts(params), ", ")
}

func fieldNames(request wprest.Request) string {
	fields := maps.Clone(request.Query)
	maps.Copy(fields, request.Body)
	return strings.Join(slices.Sorted(maps.Keys(fields)), "&")
}

// login returns the name that the request tried to log in with by HTTP Basic.
func login(r recording.Request) string {
	header, _ := r.Header("Authorization")
	name, _, _ := (&http.Request{Header: http.Header{"Authorization": {header}}}).BasicAuth()
	return name
}

// count turns the messages into templates. The advertised arguments must be complete.
func (e *errorSamples) count(index *wprest.Index, v *votes) {
	for _, s := range e.order {
		t := template{text: s.message, weight: e.counts[s]}
		for word, text := range fill(&t, &s, index) {
			v.add(s.from, slot{section: sectionWords, key: word}, text, 1)
		}
		v.add(s.from, slot{section: sectionErrors, key: s.key}, t.text, t.weight)
	}
	clear(e.counts)
	e.order = nil
}

// fill replaces repeated parts of the message with placeholders. It returns the words
// that join a list in the message.
func fill(t *template, s *errorSample, index *wprest.Index) map[string]string {
	switch {
	case s.params != "":
		t.replaceLast(s.params, "{params}")
	case s.detail && s.param != "" && strings.HasPrefix(s.key, "rest_"):
		return fillDetail(t, s, index)
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
	return nil
}

// fillDetail turns a message of WordPress's schema checks, which begin with the
// argument's name, into a template.
func fillDetail(t *template, s *errorSample, index *wprest.Index) map[string]string {
	t.replaceFirst(s.param, "{param}")
	name, _, _ := strings.Cut(s.param, "[")
	arg := index.Arg(s.route, s.method, name)
	switch s.key {
	case "rest_invalid_type":
		if arg.Type == "" || !t.replaceLast(arg.Type, "{type}") {
			t.replaceType()
		}
	case "rest_not_in_enum":
		separators, found := t.replaceList(arg.Enum, "{enum}")
		if !found {
			t.weight = 0
			return nil
		}
		if len(arg.Enum) == 1 {
			s.key = "rest_not_in_enum.one"
		}
		return separators
	}
	return nil
}
