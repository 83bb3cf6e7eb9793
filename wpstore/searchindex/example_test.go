package searchindex

import "fmt"

func Example() {
	// Every character equals itself alone.
	classes := &Classes{}
	classes.planes[0] = make([]class, 1<<planeBits)
	for r := range classes.planes[0] {
		classes.planes[0][r] = firstClass + class(r)
	}
	t := &texts{classes: classes, matrix: newMatrix(maxRows, 1), added: map[int64]int{}, odd: map[int64]bool{}}
	t.put(17, [][]byte{[]byte("Concert in the park")})
	t.put(18, [][]byte{[]byte("A lecture about parks")})
	hashes, _ := classes.ofSearch("the park")
	t.matrix.each(hashes, func(post int) bool {
		fmt.Println(t.ids[post])
		return true
	})
	// Output: 17
}
