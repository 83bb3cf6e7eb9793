package searchindex

import (
	"math/bits"
	"slices"
)

const (
	// maxRows is the number of rows where memory suffices: a kilobyte for each post. Fewer than minRows
	// select nearly all posts.
	maxRows = 8 << 10
	minRows = 256
	// minWords and maxWords bound the words of a row in a block. A longer part of a row is read faster,
	// and the bits of a smaller block are set faster.
	minWords = 16
	maxWords = 256
	// leastBlocks is the least number of blocks of an index whose blocks are not the smallest. It bounds what the last
	// block may leave empty.
	leastBlocks = 8
)

// matrix has a bit for each row and post. Posts are numbered from 0. Blocks hold a number of posts
// in all rows.
type matrix struct {
	rows   int
	words  int // of a row in a block
	blocks [][]uint64
}

// newMatrix returns an empty matrix for about a number of posts.
func newMatrix(rows, posts int) matrix { return matrix{rows: rows, words: wordsFor(posts)} }

// wordsFor returns the words of a row in the blocks of an index of some posts.
func wordsFor(posts int) int {
	words := minWords
	for words < maxWords && 2*words*64 <= posts/leastBlocks {
		words *= 2
	}
	return words
}

// rowsFor returns how many rows some posts may have within a number of bytes, 0 if too few.
func rowsFor(posts int, bytes int64) int {
	rows := min(maxRows, (bytes-extraBytes(posts))/rowBytes(posts))
	if rows < minRows {
		return 0
	}
	return int(rows)
}

// leastBytes returns the number of bytes at which an index of some posts has the fewest rows.
func leastBytes(posts int) int64 { return extraBytes(posts) + minRows*rowBytes(posts) }

// rowBytes returns the memory of a row of all blocks of some posts.
func rowBytes(posts int) int64 {
	words := wordsFor(posts)
	return 8 * int64(posts/(64*words)+1) * int64(words)
}

// extraBytes returns the memory of an index beside the rows.
func extraBytes(posts int) int64 { return classBytes + 8*int64(posts) }

func (m *matrix) bytes() int64 { return 8 * int64(len(m.blocks)) * int64(m.rows) * int64(m.words) }

// place returns the block of a post, and the number of its bit in each row of the block.
func (m *matrix) place(post int) (block, bit int) {
	return post / (64 * m.words), post % (64 * m.words)
}

// row returns the row of a hash.
func (m *matrix) row(hash uint32) int { return int(uint64(hash) * uint64(m.rows) >> 32) }

// grow makes room for a post.
func (m *matrix) grow(post int) {
	for block, _ := m.place(post); block >= len(m.blocks); {
		m.blocks = append(m.blocks, make([]uint64, m.rows*m.words))
	}
}

// set sets the bit of a hash.
func (m *matrix) set(post int, hash uint32) {
	block, bit := m.place(post)
	m.blocks[block][m.row(hash)*m.words+bit/64] |= 1 << (bit % 64)
}

// clear clears all bits of a post.
func (m *matrix) clear(post int) {
	block, bit := m.place(post)
	words := m.blocks[block]
	for at := bit / 64; at < len(words); at += m.words {
		words[at] &^= 1 << (bit % 64)
	}
}

// each calls found with the posts that have the bits of all hashes, ascending, until it returns
// false.
func (m *matrix) each(hashes []uint32, found func(post int) bool) {
	rows := make([]int, len(hashes))
	for i, h := range hashes {
		rows[i] = m.row(h) * m.words
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if len(rows) == 0 {
		return
	}
	all := make([]uint64, m.words)
	for number, block := range m.blocks {
		copy(all, block[rows[0]:])
		for _, row := range rows[1:] {
			var left uint64
			for i, word := range block[row : row+m.words] {
				all[i] &= word
				left |= all[i]
			}
			if left == 0 {
				break
			}
		}
		for i, word := range all {
			for ; word != 0; word &= word - 1 {
				if !found((number*m.words+i)*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
