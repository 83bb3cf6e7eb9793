package phpjson

import "sync"

// Buffers is the memory of earlier Writers, for the next ones. It is safe for
// concurrent use; the zero value is ready.
type Buffers struct{ pool sync.Pool }

// maxBuffer, in bytes, is more than nearly all answers have; larger ones' memory is
// not used again.
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

// Recycle gives the memory of w away. What was written must have been sent, and be
// held by nobody.
func (b *Buffers) Recycle(w *Writer) {
	if buf := w.Bytes(); cap(buf) <= maxBuffer {
		b.pool.Put(&buf)
	}
}
