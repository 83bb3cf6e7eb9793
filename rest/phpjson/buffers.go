package phpjson

import "sync"

// Buffers is a pool of the Writers' buffers. It is safe for concurrent use; the zero
// value is ready.
type Buffers struct{ pool sync.Pool }

// maxBuffer is the largest buffer, in bytes, that returns to the pool; nearly all responses are
// smaller.
const maxBuffer = 1 << 20

// Writer returns an empty Writer.
func (b *Buffers) Writer() *Writer {
	w := &Writer{}
	if buf, ok := b.pool.Get().(*[]byte); ok {
		w.Reset(*buf)
	} else {
		w.Reset(make([]byte, 0, 16<<10))
	}
	return w
}

// Recycle returns the buffer of w to the pool. Nothing may use what was written any
// more.
func (b *Buffers) Recycle(w *Writer) {
	if buf := w.Bytes(); cap(buf) <= maxBuffer {
		b.pool.Put(&buf)
	}
}
