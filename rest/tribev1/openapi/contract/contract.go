// Package contract checks responses of tests against a served OpenAPI document.
//
// It takes the document and exchanges. It reports violations, and the parts of the document that
// no exchange had.
package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is an OpenAPI 3.1 document. It is safe for concurrent use.
type Contract struct {
	doc        map[string]any
	operations []operation
	// whole and partial compile schemas: those of the document, and those of responses to _fields.
	whole, partial *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
	seen    map[string]bool
}

// operation is a method of a path.
type operation struct {
	name, method, pointer string
	path                  *regexp.Regexp
	captures              int
}

// Exchange is a response to be checked.
type Exchange struct {
	// Method is the effective one, Path what follows the namespace.
	Method, Path string
	Status       int
	Header       http.Header
	Body         []byte
	// Partial reports that the request names some fields by _fields.
	Partial bool
}

// New reads a document.
func New(document []byte) (*Contract, error) {
	c := &Contract{schemas: map[string]*jsonschema.Schema{}, seen: map[string]bool{}}
	var err error
	if c.doc, err = decoded(document); err != nil {
		return nil, err
	}
	if c.whole, err = compiler(c.doc); err != nil {
		return nil, err
	}
	relaxed, err := decoded(document)
	if err != nil {
		return nil, err
	}
	models := relaxed["components"].(map[string]any)["schemas"].(map[string]any)
	for name, model := range models {
		delete(model.(map[string]any), "required")
		models[name] = map[string]any{"anyOf": []any{model, map[string]any{"type": "array", "maxItems": json.Number("0")}}} // no field is left
	}
	if c.partial, err = compiler(relaxed); err != nil {
		return nil, err
	}
	captures := strings.NewReplacer(`\{id\}`, `\d+`, `\{slug\}`, `[^/]+`)
	for path, item := range c.doc["paths"].(map[string]any) {
		pattern := regexp.MustCompile("(?i)^" + captures.Replace(regexp.QuoteMeta(strings.TrimSuffix(path, "/"))) + "/*$")
		for method := range item.(map[string]any) {
			c.operations = append(c.operations, operation{
				strings.ToUpper(method) + " " + path, strings.ToUpper(method), "/paths/" + token(path) + "/" + method, pattern, strings.Count(path, "{"),
			})
		}
	}
	slices.SortFunc(c.operations, func(a, b operation) int { return a.captures - b.captures })
	return c, nil
}

func decoded(document []byte) (map[string]any, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	doc, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the document is not an object")
	}
	return doc, nil
}

const location = "https://calendar.invalid/openapi.json"

func compiler(doc map[string]any) (*jsonschema.Compiler, error) {
	out := jsonschema.NewCompiler()
	out.DefaultDraft(jsonschema.Draft2020)
	out.AssertFormat()
	return out, out.AddResource(location, doc)
}

func token(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

// Operations lists the operations as "GET /events/{id}", in order.
func (c *Contract) Operations() []string {
	var out []string
	for _, o := range c.operations {
		out = append(out, o.name)
	}
	slices.Sort(out)
	return out
}

// Find returns the name of the operation that a request addresses, "" for none. HEAD is like GET.
// As on the server, letter case and slashes at the end of the path do not matter.
func (c *Contract) Find(method, path string) string {
	o, _ := c.find(method, path)
	return o.name
}

func (c *Contract) find(method, path string) (operation, bool) {
	if method = strings.ToUpper(method); method == http.MethodHead {
		method = http.MethodGet
	}
	for _, o := range c.operations {
		if o.method == method && o.path.MatchString(path) {
			return o, true
		}
	}
	return operation{}, false
}

// described are the headers that a response has only if the document describes them.
var described = []string{"Allow", "Etag", "Last-Modified", "Retry-After", "X-Tec-Total", "X-Tec-Totalpages"}

// Check returns an error if an exchange with one of the document's operations contradicts it.
func (c *Contract) Check(x Exchange) error {
	o, ok := c.find(x.Method, x.Path)
	if !ok {
		return fmt.Errorf("%s %s is not described", x.Method, x.Path)
	}
	pointer := o.pointer + "/responses/" + strconv.Itoa(x.Status)
	response, ok := c.at(pointer).(map[string]any)
	if !ok {
		return fmt.Errorf("%s: status %d is not described: %.200s", o.name, x.Status, x.Body)
	}
	c.see(o.name + " " + strconv.Itoa(x.Status))
	if target, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(target, "#")
		response = c.at(pointer).(map[string]any)
	}
	if err := c.checkHeaders(x.Header, response); err != nil {
		return fmt.Errorf("%s %d: %w", o.name, x.Status, err)
	}
	contents, _ := response["content"].(map[string]any)
	if x.Method == http.MethodHead || contents == nil {
		if len(x.Body) > 0 {
			return fmt.Errorf("%s %d: has a body: %.200s", o.name, x.Status, x.Body)
		}
		return nil
	}
	mediaType, _, _ := mime.ParseMediaType(x.Header.Get("Content-Type"))
	if contents[mediaType] == nil {
		return fmt.Errorf("%s %d: media type %q is not described", o.name, x.Status, mediaType)
	}
	pointer += "/content/" + token(mediaType) + "/schema"
	if !strings.HasSuffix(mediaType, "json") {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(x.Body))
	if err != nil {
		return fmt.Errorf("%s %d: %w", o.name, x.Status, err)
	}
	schema, err := c.schema(pointer, x.Partial)
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("%s %d: %w", o.name, x.Status, err)
	}
	c.visit(c.at(pointer), "", value)
	return nil
}

func (c *Contract) checkHeaders(h http.Header, response map[string]any) error {
	headers, _ := response["headers"].(map[string]any)
	known := map[string]bool{}
	for name, header := range headers {
		known[http.CanonicalHeaderKey(name)] = true
		if header.(map[string]any)["required"] == true && h.Get(name) == "" {
			return fmt.Errorf("the header %s is missing", name)
		}
		typ, _ := header.(map[string]any)["schema"].(map[string]any)["type"].(string)
		if _, err := strconv.Atoi(h.Get(name)); typ == "integer" && h.Get(name) != "" && err != nil {
			return fmt.Errorf("the header %s is %q", name, h.Get(name))
		}
	}
	for _, name := range described {
		if h.Get(name) != "" && !known[name] {
			return fmt.Errorf("the header %s is not described", name)
		}
	}
	return nil
}

func (c *Contract) schema(pointer string, partial bool) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key, from := pointer, c.whole
	if partial {
		key, from = "partial "+pointer, c.partial
	}
	if s := c.schemas[key]; s != nil {
		return s, nil
	}
	s, err := from.Compile(location + "#" + pointer)
	if err != nil {
		return nil, err
	}
	c.schemas[key] = s
	return s, nil
}

// at returns the value at a JSON pointer, nil without one.
func (c *Contract) at(pointer string) any {
	var v any = c.doc
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		object, _ := v.(map[string]any)
		v = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
	}
	return v
}

func (c *Contract) see(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[what] = true
}

// visit records which members of models a value has. within is the model that the schema belongs
// to.
func (c *Contract) visit(schema any, within string, value any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if target, ok := s["$ref"].(string); ok {
		c.visit(c.at(strings.TrimPrefix(target, "#")), target[strings.LastIndex(target, "/")+1:], value)
	}
	for _, key := range []string{"anyOf", "allOf"} {
		alternatives, _ := s[key].([]any)
		for _, a := range alternatives {
			c.visit(a, within, value)
		}
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			c.visit(s["items"], within, item)
		}
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		for name, member := range v {
			if p, ok := properties[name]; ok {
				if within != "" {
					c.see(within + "." + name)
				}
				c.visit(p, "", member)
			} else {
				c.visit(s["additionalProperties"], "", member)
			}
		}
	}
}

// Unseen lists what no checked exchange had: members as "Model.field", and successes of operations
// as "GET /events 200".
func (c *Contract) Unseen() []string {
	var out []string
	for name, model := range c.doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if strings.HasPrefix(name, "New") || strings.HasPrefix(name, "Changed") { // bodies of requests
			continue
		}
		properties, _ := model.(map[string]any)["properties"].(map[string]any)
		for property := range properties {
			out = append(out, name+"."+property)
		}
	}
	for _, o := range c.operations {
		for status := range c.at(o.pointer + "/responses").(map[string]any) {
			if status < "300" {
				out = append(out, o.name+" "+status)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out = slices.DeleteFunc(out, func(what string) bool { return c.seen[what] })
	slices.Sort(out)
	return out
}
