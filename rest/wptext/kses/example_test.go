package kses_test

import (
	"fmt"

	"calbridge/rest/trait"
	"calbridge/rest/wptext/kses"
)

// An author without the capability unfiltered_html sends a description.
func ExamplePost() {
	sent := `<p onclick="steal()" style="color: red; behavior: url(x)">Doors at <b>six</b>.</p>` +
		`<script>alert(1)</script><a href="javascript:alert(1)">Tickets</a>`
	fmt.Println(kses.Post(sent, trait.Set{}))
	// Output:
	// <p style="color: red">Doors at <b>six</b>.</p>alert(1)<a href="alert(1)">Tickets</a>
}
