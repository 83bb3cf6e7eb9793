package kses

import (
	"testing"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/texttest"
)

// of returns the traits of a release of WordPress.
func of(release string) trait.Set {
	return trait.SetOf(trait.Versions{trait.WordPressCore: release})
}

// byRelease checks a filter on several releases. rows have an input and the output of each
// release in turn.
func byRelease(t *testing.T, filter func(s string, traits trait.Set) string, releases []string, rows ...[]string) {
	t.Helper()
	for i, release := range releases {
		for _, row := range rows {
			if got := filter(row[0], of(release)); got != row[i+1] {
				t.Errorf("%s\n in   %q\n got  %q\n want %q", release, row[0], got, row[i+1])
			}
		}
	}
}

// TestElementsOfReleases: what each release added to the elements and attributes of posts.
func TestElementsOfReleases(t *testing.T) {
	byRelease(t, Post, []string{"6.5", "6.6", "6.9", "7.1"},
		[]string{`<p data--a="1" data-b-c="2">x</p>`, `<p data-b-c="2">x</p>`, `<p data--a="1" data-b-c="2">x</p>`, `<p data--a="1" data-b-c="2">x</p>`, `<p data--a="1" data-b-c="2">x</p>`},
		[]string{`<time datetime="1">x</time><mi>y</mi>`, "xy", "xy", `<time datetime="1">x</time><mi>y</mi>`, `<time datetime="1">x</time><mi>y</mi>`},
		[]string{`<details name="a" open>x</details>`, "<details open>x</details>", "<details open>x</details>", `<details name="a" open>x</details>`, `<details name="a" open>x</details>`},
		[]string{`<p tabindex="1">x</p>`, "<p>x</p>", "<p>x</p>", "<p>x</p>", `<p tabindex="1">x</p>`})
	byRelease(t, TermDescription, []string{"6.7", "6.8"}, []string{`<a href="/" rel="x" target="y">z</a>`, `<a href="/">z</a>`, `<a href="/" rel="x" target="y">z</a>`})
	byRelease(t, Title, []string{"6.7", "6.8"}, []string{`<a href="/" rel="x" target="y">z</a>`, `<a href="/">z</a>`, `<a href="/">z</a>`})
}

// TestMarkupThatIsNoTag: comments that only browsers take for such, and backslashes.
func TestMarkupThatIsNoTag(t *testing.T) {
	byRelease(t, Post, []string{"6.5", "6.6", "7.0"},
		[]string{"a<!x>b</3>c</ p>d", "abc</p>d", "a<!x>b</3>c</ p>d", "a<!x>b</3>c</ p>d"},
		[]string{"a<!DOCTYPE html>b<![if x]>c<!>d</>e<!1>f", "abcdef", "abcdef", "abcdef"},
		[]string{`<b title="a\">c</b>\"`, `<b title="a">c</b>\"`, `<b title="a">c</b>\"`, `<b title="a">c</b>\"`},
		[]string{`<!-- a\"b -->`, `<!-- a"b -->`, `<!-- a"b -->`, `<!-- a"b -->`})
}

// TestWrittenAttributes: how attributes were read before WordPress 7.0.
func TestWrittenAttributes(t *testing.T) {
	byRelease(t, Post, []string{"6.9", "7.0"},
		[]string{`<b CLASS='a' id=b lang>`, `<b CLASS='a' id="b" lang>`, `<b class="a" id="b" lang>`},
		[]string{`<b class="a"id="b">`, "<b>", `<b class="a" id="b">`},
		[]string{`<b class="a" class="b" Class="c">`, `<b class="a" Class="c">`, `<b class="a">`},
		[]string{`<b title="&copy; &#8211; x">`, `<b title="&copy; &#8211; x">`, `<b title="© – x">`},
		[]string{`<b title=a"b id=c>`, "<b>", `<b title="a&quot;b" id="c">`},
		[]string{`<b title= id=c>`, `<b title="id=c">`, `<b title="id=c">`},
		[]string{`<img alt/>`, "<img />", "<img alt />"},
		[]string{`<a href="java&#115;cript:x">`, `<a href="x">`, `<a href="x">`},
		[]string{`<a href="https&colon;//x">`, `<a href="https&amp;colon;//x">`, `<a href="https://x">`},
		[]string{`<b style="font-family:&quot;A B&quot;, serif">`, `<b style=", serif">`, `<b style="font-family:&quot;A B&quot;, serif">`},
		[]string{`<b style="font-family:'A';x:y">`, `<b style="font-family:'A'">`, `<b style="font-family:&#039;A&#039;">`},
		[]string{"<b style>", "<b>", "<b>"})
}

// TestStylesOfReleases: CSS properties, functions and gradients.
func TestStylesOfReleases(t *testing.T) {
	byRelease(t, Style, []string{"6.5", "6.6", "6.7", "6.9", "7.0", "7.1"},
		[]string{"grid-row:1", "", "grid-row:1", "grid-row:1", "grid-row:1", "grid-row:1", "grid-row:1"},
		[]string{"opacity:1", "", "", "opacity:1", "opacity:1", "opacity:1", "opacity:1"},
		[]string{"white-space:pre", "", "", "", "white-space:pre", "white-space:pre", "white-space:pre"},
		[]string{"display:none", "", "", "", "", "display:none", "display:none"},
		[]string{"transform:rotate(1deg) scaleX(2)", "", "", "", "", "", "transform:rotate(1deg) scaleX(2)"},
		[]string{"mask:url(#a)", "", "", "", "", "", "mask:url(#a)"},
		[]string{"background:linear-gradient(hsl(1),red),url(a)", "", "", "", "", "", "background:linear-gradient(hsl(1),red),url(a)"},
		[]string{"background: linear-gradient(rgba(1,2),red) ", "background: linear-gradient(rgba(1,2),red)", "background: linear-gradient(rgba(1,2),red)", "background: linear-gradient(rgba(1,2),red)", "background: linear-gradient(rgba(1,2),red)", "background: linear-gradient(rgba(1,2),red)", "background: linear-gradient(rgba(1,2),red)"})
	texttest.CheckPairs(t, func(s string) string { return Style(s, nil) }, "width:1px; ;;height:2px", "width:1px;;height:2px", "color:\nr\\00ed", "color:red", `color:\72ed`, "", "a", "a", "a&b", "")
}

// TestSaving: links with a target got noopener, and blocks lose their style sheets.
func TestSaving(t *testing.T) {
	author := func(s string, traits trait.Set) string { return Saving{Traits: traits}.Content(s) }
	admin := func(s string, traits trait.Set) string { return Saving{Unfiltered: true, Traits: traits}.Content(s) }
	releases := []string{"6.6", "6.7", "7.0"}
	byRelease(t, admin, releases,
		[]string{"<A\nTARGET=x>a</A><a target>b</a>", `<a TARGET=x>a</A><a target>b</a>`, "<A\nTARGET=x>a</A><a target>b</a>", "<A\nTARGET=x>a</A><a target>b</a>"},
		[]string{"<A  target=x>a</A>", `<a target="x" rel="noopener">a</A>`, "<A  target=x>a</A>", "<A  target=x>a</A>"},
		[]string{`<a rel='b  b' target=x href="vbscript:y">`, `<a rel="b noopener" target="x" href="y">`, `<a rel='b  b' target=x href="vbscript:y">`, `<a rel='b  b' target=x href="vbscript:y">`},
		[]string{`<a TARGET=x>`, `<a TARGET=x>`, `<a TARGET=x>`, `<a TARGET=x>`},
		[]string{`<script>"<a target=x>"</script><a target="">`, `<script>"<a target=x>"</script><a target="" rel="noopener">`, `<script>"<a target=x>"</script><a target="">`, `<script>"<a target=x>"</script><a target="">`},
		[]string{`s:12:"<a target=>";`, `s:12:"<a target=>";`, `s:12:"<a target=>";`, `s:12:"<a target=>";`},
		[]string{`<!-- wp:a {"style":{"css":"x"}} /-->`, `<!-- wp:a {"style":{"css":"x"}} /-->`, `<!-- wp:a {"style":{"css":"x"}} /-->`, `<!-- wp:a {"style":{"css":"x"}} /-->`})
	byRelease(t, author, releases,
		[]string{`<!-- wp:a {"style":{"css":"x"}} /-->`, `<!-- wp:a {"style":{"css":"x"}} /-->`, `<!-- wp:a {"style":{"css":"x"}} /-->`, "<!-- wp:a /-->"},
		[]string{`<!-- wp:a {"style":{"css":"x","b":1},"c":"\\"} -->y<!-- /wp:a -->`, `<!-- wp:a {"style":{"css":"x","b":1},"c":"\"} -->y<!-- /wp:a -->`,
			`<!-- wp:a {"style":{"css":"x","b":1},"c":"\"} -->y<!-- /wp:a -->`, `<!-- wp:a {"style":{"b":1},"c":"\u005c"} -->y<!-- /wp:a -->`})
	if got := (Saving{Traits: of("7.0")}).Excerpt(`<!-- wp:a {"style":{"css":"x"}} /-->`); got != `<!-- wp:a {"style":{"css":"x"}} /-->` {
		t.Errorf("an excerpt keeps the style sheet: %s", got)
	}
	if got := (Saving{Traits: of("6.6")}).Title(`<a href="/" target="x">a</a>`); got != `<a href="/">a</a>` {
		t.Errorf("a title: %s", got)
	}
}
