package explain

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Case is one exchange whose two answers differ.
type Case struct {
	// As is the login of the exchange, Sent its request under the target's namespace.
	As   string
	Sent recording.Request
	// Recorded and Got are the two answers, both under the target's namespace.
	Recorded, Got recording.Response
	// Level is the target's, Namespace that of its API.
	Level     Level
	Namespace wprest.Namespace
	// Compare compares two answers as the comparison does.
	Compare func(recorded, got recording.Response) ([]diff.Difference, error)
	// Ask sends another request to the target as the same login. Nil asks nobody: causes that
	// need it stay unexplained.
	Ask func(context.Context, recording.Request) (recording.Response, error)
	// Listed returns what the recordings show; may be nil.
	Listed func() *Listed
	// Earlier is an answer of the target to the same request from before the recorded answer,
	// nil without one. A time between the two answers of the target is no difference.
	Earlier *recording.Response
}

// Explain returns the differences with their causes, the most telling first. A cause that
// accounts for many differences, such as the missing entries of a list, takes their place.
func Explain(ctx context.Context, c Case, differences []diff.Difference) []diff.Difference {
	if len(differences) == 0 {
		return nil
	}
	x := &explaining{Case: c, asked: c, found: differences}
	x.request, _ = wprest.ReadRequest(c.Sent) // zero for others, such as exports
	x.body(ctx)
	x.follow()
	x.totalsOnly(ctx)
	x.export(ctx)
	x.otherPage(ctx)
	x.headers(ctx)
	x.lastPage(ctx)
	x.upcomingPage(ctx)
	x.language(ctx)
	x.method()
	x.unlocked()
	x.address()
	x.wording()
	found := append(x.causes, x.found...)
	sortByRank(found)
	return found
}

// explaining is the explanation of one case in progress.
type explaining struct {
	Case
	asked Case // as it was, without changes
	// request is the request to WordPress's REST API, parsed.
	request wprest.Request
	// found are the differences that remain, causes those that stand for others.
	found, causes []diff.Difference
	// fewer is the cause of smaller totals, "" for none.
	fewer string
}

// follow removes the differences that only follow from another: another status explains
// another body, and other entries of a list explain their fields.
func (x *explaining) follow() {
	if x.Recorded.Status != x.Got.Status {
		x.found = slices.DeleteFunc(x.found, func(d diff.Difference) bool { return d.Part == diff.PartBody && open(d) })
		return
	}
	pair, ok := parsed(x.Recorded.Body, x.Got.Body)
	if !ok {
		return
	}
	for _, kind := range listKinds {
		recorded, got := idsOf(pair.recorded.inner.Member(kind)), idsOf(pair.got.inner.Member(kind))
		if pair.recorded.inner.Member("id") != nil || slices.Equal(recorded, got) || len(recorded)+len(got) == 0 {
			continue
		}
		inside := regexp.MustCompile(`^\$(\.body)?\.` + kind + `(\[|$)`)
		if !slices.ContainsFunc(x.found, func(d diff.Difference) bool { return open(d) && inside.MatchString(d.Where) }) {
			continue
		}
		x.found = slices.DeleteFunc(x.found, func(d diff.Difference) bool {
			return d.Part == diff.PartBody && open(d) && inside.MatchString(d.Where)
		})
		x.found = append(x.found, diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: "$." + kind, Recorded: entries(recorded, got), Got: entries(got, recorded)})
	}
}

// entries describes the entries of a list that the other one lacks.
func entries(ids, other []string) string {
	only := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(other, id) })
	if len(only) == 0 {
		return diff.Head(fmt.Sprintf("%d entries: %s", len(ids), strings.Join(ids, ", ")), 120)
	}
	return diff.Head(fmt.Sprintf("%d entries, with %s", len(ids), strings.Join(only, ", ")), 120)
}

// open reports whether a difference is still without an explanation.
func open(d diff.Difference) bool { return !d.Explained() }

// left reports whether any difference is still without an explanation.
func (x *explaining) left() bool { return slices.ContainsFunc(x.found, open) }

// headers names the causes of headers.
func (x *explaining) headers(ctx context.Context) {
	for i := range x.found {
		d := &x.found[i]
		switch {
		case d.Part != diff.PartHeaders || !open(*d):
		case x.fewer != "" && strings.HasPrefix(d.Where, "x-tec-total"):
			d.Cause = causeOf(x.fewer)
		case d.Where == "allow" && x.generalRight(ctx):
			d.Cause = causeOf("S15")
		default:
			d.Cause = header(d.Where, x.Recorded.Headers[d.Where], x.Got.Headers[d.Where], x.Level)
		}
	}
}

// method names the cause of known difference S13.
func (x *explaining) method() {
	if x.Level.Safe() && x.Recorded.Status == 500 && x.Got.Status == 400 && strings.Contains(x.Sent.Path, "_method[") {
		x.all("S13")
	}
}

// all gives all open differences a cause.
func (x *explaining) all(name string) {
	for i := range x.found {
		if open(x.found[i]) {
			x.found[i].Cause = causeOf(name)
		}
	}
}

// body applies what is intended to both bodies, and compares what remains.
func (x *explaining) body(ctx context.Context) {
	if !slices.ContainsFunc(x.found, func(d diff.Difference) bool {
		return d.Part == diff.PartBody || strings.HasPrefix(d.Where, "x-tec-total")
	}) {
		return
	}
	if x.Level == Fixed && isDocument(x.Sent) && strings.Contains(x.Got.Body, `"openapi":"3.1`) {
		x.all("F6")
		return
	}
	pair, ok := parsed(x.Recorded.Body, x.Got.Body)
	if !ok {
		return
	}
	x.clock(pair)
	x.order(pair)
	x.expired(pair)
	if x.Level.Safe() && x.Recorded.Status == x.Got.Status {
		x.locked(ctx, pair)
		if !x.wanted(ctx, pair) {
			x.hidden(ctx, pair)
		}
		x.languageArguments(pair)
	}
	x.again(pair)
}

// kind returns the route of the request below the namespace, in lower case: that of a list is
// its kind.
func (x *explaining) kind() string {
	return strings.ToLower(strings.TrimPrefix(x.Namespace.Below(x.request.Route), "/"))
}

// isDocument reports whether a request is for the API's document.
func isDocument(r recording.Request) bool {
	request, _ := wprest.ReadRequest(r)
	return strings.HasSuffix(request.Route, "/doc")
}

// again compares the changed bodies. The causes hold if they leave fewer differences than
// there were; those that remain have another cause.
func (x *explaining) again(pair *pair) {
	if len(pair.causes) == 0 {
		return
	}
	recorded, got := x.Recorded, x.Got
	recorded.Body, got.Body = pair.recorded.text(), pair.got.text()
	rest, err := x.Compare(recorded, got)
	if err != nil {
		return
	}
	x.Recorded.Body, x.Got.Body = recorded.Body, got.Body
	x.found, x.causes, x.fewer = rest, append(x.causes, pair.causes...), pair.fewer
}

// document is the body of one answer, and the changes that are made to it.
type document struct {
	before, after string // around the JSON: the function of JSONP
	root          *jsontree.Node
	// inner is the root without an envelope.
	inner   *jsontree.Node
	changes map[*jsontree.Node]string
	drops   map[*jsontree.Node]bool
}

func readDocument(body string) (*document, bool) {
	before, text, after := jsontree.UnwrapJSONP(body)
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil, false
	}
	d := &document{before: before, after: after, root: root, inner: root, changes: map[*jsontree.Node]string{}, drops: map[*jsontree.Node]bool{}}
	if inner := root.Member("body"); inner != nil && root.Member("status").Is(jsontree.Number) && root.Member("headers") != nil {
		d.inner = inner
	}
	return d, true
}

// render returns a value with the changes.
func (d *document) render(n *jsontree.Node) string {
	if text, changed := d.changes[n]; changed {
		return text
	}
	if len(n.Items) == 0 {
		return n.Raw()
	}
	texts, drop := make([]string, len(n.Items)), make([]bool, len(n.Items))
	for i, item := range n.Items {
		texts[i], drop[i] = d.render(item), d.drops[item]
	}
	return n.With(texts, drop)
}

// text returns the body with the changes.
func (d *document) text() string {
	before, after := d.root.Around()
	return d.before + before + d.render(d.root) + after + d.after
}

// pair holds both bodies, and the causes that were applied to them.
type pair struct {
	recorded, got *document
	causes        []diff.Difference
	fewer         string
}

func parsed(recorded, got string) (*pair, bool) {
	r, okRecorded := readDocument(recorded)
	g, okGot := readDocument(got)
	return &pair{recorded: r, got: g}, okRecorded && okGot
}

// add adds a difference that stands for all that its cause accounts for, once.
func (p *pair) add(name, where, recorded, got string) {
	d := diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: where, Recorded: diff.Head(recorded, 200), Got: diff.Head(got, 200), Cause: causeOf(name)}
	if !slices.Contains(p.causes, d) {
		p.causes = append(p.causes, d)
	}
}

// use puts a value of the target in the place of the recorded one.
func (p *pair) use(recorded, got *jsontree.Node) { p.recorded.changes[recorded] = got.Raw() }
