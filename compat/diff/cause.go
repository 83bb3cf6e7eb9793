package diff

// Category is the category of a cause. Only unexplained differences fail a comparison.
type Category string

// The categories, in the order in which an exchange with several of them is counted.
const (
	// Unexplained is the category of a difference that nobody intended. Its cause may still
	// be known: a setting, a plugin, the site's wording.
	Unexplained Category = "unexplained"
	// Intended is the category of a known difference of calbridge. The name of the cause is
	// its number, such as S2.
	Intended Category = "intended"
	// Raced is the category of a value that is a time, or of a row that was written between
	// the two answers.
	Raced Category = "raced"
	// Headers is the category of headers that do not belong to the API: those that a web
	// server, PHP or a CDN adds, and those by which calbridge lets its answers be cached.
	Headers Category = "headers"
)

// Categories returns all categories in their order.
func Categories() []Category { return []Category{Unexplained, Intended, Raced, Headers} }

// Cause explains a difference. The zero value explains nothing.
type Cause struct {
	Category Category `json:"category,omitempty"`
	// Name is the number of a known difference, or the name of a cause in explain.Causes.
	Name string `json:"name,omitempty"`
}

// Explains reports whether the cause makes the difference one that does not fail a
// comparison.
func (c Cause) Explains() bool { return c.Category != "" && c.Category != Unexplained }

// Of returns the category; that of the zero value is Unexplained.
func (c Cause) Of() Category {
	if c.Category == "" {
		return Unexplained
	}
	return c.Category
}
