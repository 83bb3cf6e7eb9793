package searchindex

import (
	"math/bits"
	"slices"
)

const (
	blockPosts = 1 << 10 // posts in a block
	blockWords = blockPosts / 64
	// maxRows is the number of rows where memory suffices: a kilobyte for each post. Fewer than minRows
	// select nearly all posts.
	maxRows = 8 << 10
	minRows = 256
)

// matrix has a bit for each row and post. Posts are numbered from 0. Blocks hold a number of posts
// in all rows.
type matrix struct {
	rows   int
	blocks [][]uint64
}

// rowsFor returns how many rows some posts may have within a number of bytes, 0 if too few.
func rowsFor(posts int, bytes int64) int {
	rows := min(maxRows, (bytes-extraBytes(posts))/blockRowBytes(posts))
	if rows < minRows {
		return 0
	}
	return int(rows)
}

// leastBytes returns the number of bytes at which an index of some posts has the fewest rows.
func leastBytes(posts int) int64 { return extraBytes(posts) + minRows*blockRowBytes(posts) }

// blockRowBytes returns the memory of a row of all blocks of some posts.
func blockRowBytes(posts int) int64 { return int64(posts/blockPosts+1) * blockPosts / 8 }

// extraBytes returns the memory of an index beside the rows.
func extraBytes(posts int) int64 { return classBytes + 8*int64(posts) }

func (m *matrix) bytes() int64 { return int64(len(m.blocks)) * int64(m.rows) * blockPosts / 8 }

// row returns the row of a hash.
func (m *matrix) row(hash uint32) int { return int(uint64(hash) * uint64(m.rows) >> 32) }

// grow makes room for a post.
func (m *matrix) grow(post int) {
	for post/blockPosts >= len(m.blocks) {
		m.blocks = append(m.blocks, make([]uint64, m.rows*blockWords))
	}
}

// set sets the bit of a hash.
func (m *matrix) set(post int, hash uint32) {
	m.blocks[post/blockPosts][m.row(hash)*blockWords+post%blockPosts/64] |= 1 << (post % 64)
}

// clear clears all bits of a post.
func (m *matrix) clear(post int) {
	block := m.blocks[post/blockPosts]
	for at := post % blockPosts / 64; at < len(block); at += blockWords {
		block[at] &^= 1 << (post % 64)
	}
}

// each calls found with the posts that have the bits of all hashes, ascending, until it returns
// false.
func (m *matrix) each(hashes []uint32, found func(post int) bool) {
	rows := make([]int, len(hashes))
	for i, h := range hashes {
		rows[i] = m.row(h) * blockWords
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if len(rows) == 0 {
		return
	}
	for number, block := range m.blocks {
		var all [blockWords]uint64
		copy(all[:], block[rows[0]:])
		for _, row := range rows[1:] {
			var left uint64
			for i, word := range block[row : row+blockWords] {
				all[i] &= word
				left |= all[i]
			}
			if left == 0 {
				break
			}
		}
		for i, word := range all {
			for ; word != 0; word &= word - 1 {
				if !found(number*blockPosts + i*64 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
