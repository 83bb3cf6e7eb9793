package recording

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// gzipMagic is the beginning of compressed data.
const gzipMagic = "\x1f\x8b"

// GzipFile is a compressed recording being written. After Write returns, the line is in
// the file. Each GzipFile writes its own gzip member.
type GzipFile struct {
	file *os.File
	pack *gzip.Writer // nil before the first line
}

// OpenGzip opens a compressed recording for appending, or creates it; only its owner may
// read it. It removes a line and compressed data that a crash left incomplete. It
// refuses files that are not recordings.
func OpenGzip(name string) (*GzipFile, error) {
	if err := mendGzip(name); err != nil {
		return nil, fmt.Errorf("recording cannot be continued: %w", err)
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recording cannot be written: %w", err)
	}
	return &GzipFile{file: file}, nil
}

// Write appends a line.
func (f *GzipFile) Write(line []byte) (int, error) {
	if f.pack == nil {
		f.pack = gzip.NewWriter(f.file)
	}
	n, err := f.pack.Write(line)
	return n, errors.Join(err, f.pack.Flush())
}

// Complete makes the file readable as it is. Further lines may follow.
func (f *GzipFile) Complete() error {
	if f.pack == nil {
		return nil
	}
	pack := f.pack
	f.pack = nil
	return pack.Close()
}

// Close ends the file.
func (f *GzipFile) Close() error {
	var err error
	if f.pack != nil {
		err = f.pack.Close()
	}
	return errors.Join(err, f.file.Close())
}

// mendGzip truncates a file, if it exists, to whole lines.
func mendGzip(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines, torn, err := wholeLines(f)
	if err != nil || !torn {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	mended, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err := errors.Join(copyGzip(mended, f, lines), mended.Close()); err != nil {
		return errors.Join(err, os.Remove(mended.Name()))
	}
	return os.Rename(mended.Name(), name)
}

// wholeLines returns the number of bytes of whole lines in a compressed recording, and
// whether data that a crash cut off follows them.
func wholeLines(f *os.File) (bytes int64, torn bool, err error) {
	packed := bufio.NewReader(f)
	magic, _ := packed.Peek(len(gzipMagic))
	unpacked, err := gzip.NewReader(packed)
	if cutOff(err) && strings.HasPrefix(gzipMagic, string(magic)) {
		return 0, true, nil
	}
	if err != nil {
		return 0, false, noRecording(f)
	}
	r := bufio.NewReader(unpacked)
	if head, err := r.Peek(len(opening)); string(head) != opening && !cutOff(err) {
		return 0, false, noRecording(f)
	}
	length := int64(0) // of the current line
	for {
		part, err := r.ReadSlice('\n')
		length += int64(len(part))
		switch {
		case err == nil:
			bytes, length = bytes+length, 0
		case errors.Is(err, io.EOF):
			return bytes, length > 0, nil
		case cutOff(err):
			return bytes, true, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, false, err
		}
	}
}

// cutOff reports whether an error means that data ends too early.
func cutOff(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// copyGzip writes the beginning of a file's content, compressed.
func copyGzip(to io.Writer, from io.Reader, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	unpacked, err := gzip.NewReader(bufio.NewReader(from))
	if err != nil {
		return err
	}
	pack := gzip.NewWriter(to)
	_, err = io.CopyN(pack, unpacked, bytes)
	return errors.Join(err, pack.Close())
}
