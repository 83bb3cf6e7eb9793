package phpjson

// Indent appends the compact JSON text src as PHP's json_encode lays it out with
// JSON_PRETTY_PRINT: four spaces for each level, a space after colons, line feeds, []
// and {} when empty. It changes nothing but white space, so it may be used on any text
// that Append or a Writer wrote.
func Indent(dst, src []byte) []byte {
	level := 0
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch c {
		case '"':
			end := stringEnd(src, i)
			dst = append(dst, src[i:end]...)
			i = end - 1
		case '{', '[':
			dst = append(dst, c)
			if i+1 < len(src) && (src[i+1] == '}' || src[i+1] == ']') {
				i++
				dst = append(dst, src[i])
				continue
			}
			level++
			dst = newLine(dst, level)
		case '}', ']':
			level--
			dst = append(newLine(dst, level), c)
		case ',':
			dst = newLine(append(dst, c), level)
		case ':':
			dst = append(dst, ':', ' ')
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// stringEnd returns the position after the string that begins at start.
func stringEnd(src []byte, start int) int {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

func newLine(dst []byte, level int) []byte {
	dst = append(dst, '\n')
	for range level {
		dst = append(dst, "    "...)
	}
	return dst
}
