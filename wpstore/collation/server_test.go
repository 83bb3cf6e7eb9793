package collation_test

import (
	"bytes"
	"compress/zlib"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/wptest"

	_ "github.com/go-sql-driver/mysql"
)

var update = flag.Bool("update", false, "rewrite weights.bin from the server's collation")

func openServer(t *testing.T) *sql.DB {
	db, err := sql.Open("mysql", wptest.MariaDB(t)+"?interpolateParams=true&collation=utf8mb4_unicode_520_ci&charset=utf8mb4")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// serverWeights asks for the weights of all characters.
func serverWeights(t *testing.T, db *sql.DB, each func(r rune, weights []byte)) {
	rows, err := db.Query("SELECT seq, HEX(WEIGHT_STRING(CONVERT(CHAR(seq USING utf32) USING utf8mb4) COLLATE utf8mb4_unicode_520_ci)) " +
		"FROM " + wptest.Sequence(0, 1114111) + " WHERE seq NOT BETWEEN 55296 AND 57343")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r rune
		var digits string
		if err := rows.Scan(&r, &digits); err != nil {
			t.Fatal(err)
		}
		weights, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		each(r, weights)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// TestWeights compares the whole table with the server's, character by character.
func TestWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("asks for a million characters")
	}
	db := openServer(t)
	if *update {
		writeWeights(t, db)
		t.Skip("weights.bin is written; run the test again without -update")
	}
	wrong := 0
	serverWeights(t, db, func(r rune, weights []byte) {
		space := []byte{0x02, 0x0a}
		for bytes.HasSuffix(weights, space) {
			weights = weights[:len(weights)-len(space)]
		}
		if got := collation.Key(string(r)); got != string(weights) {
			if wrong++; wrong < 20 {
				t.Errorf("%U weighs %x, the server says %x", r, got, weights)
			}
		}
	})
}

// writeWeights writes weights.bin; unpack in weights.go documents its format.
func writeWeights(t *testing.T, db *sql.DB) {
	var gaps, counts, steps []byte
	var entries, weightCount uint64
	var before rune
	var last int64
	serverWeights(t, db, func(r rune, weights []byte) {
		if bytes.Equal(weights, computed(r)) {
			return
		}
		gaps = binary.AppendUvarint(gaps, uint64(r-before))
		counts = binary.AppendUvarint(counts, uint64(len(weights)/2))
		entries++
		before = r
		for ; len(weights) > 0; weights = weights[2:] {
			weight := int64(binary.BigEndian.Uint16(weights))
			steps = binary.AppendVarint(steps, weight-last)
			weightCount++
			last = weight
		}
	})
	var out bytes.Buffer
	z, err := zlib.NewWriterLevel(&out, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range []struct {
		n    uint64
		data []byte
	}{{entries, gaps}, {entries, counts}, {weightCount, steps}} {
		z.Write(binary.AppendUvarint(nil, stream.n))
		z.Write(stream.data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.bin", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// computed returns the weights that the algorithm gives to characters outside of its
// table. A few ideographs among the compatibility characters are written to the
// table although they could be computed.
func computed(r rune) []byte {
	base := rune(0xFBC0)
	switch {
	case r >= 0x4E00 && r <= 0x9FA5:
		base = 0xFB40
	case r >= 0x3400 && r <= 0x4DB5:
		base = 0xFB80
	}
	out := binary.BigEndian.AppendUint16(nil, uint16(base+r>>15))
	return binary.BigEndian.AppendUint16(out, uint16(r&0x7FFF|0x8000))
}

// TestAgainstServer compares texts made of awkward pieces.
func TestAgainstServer(t *testing.T) {
	db := openServer(t)
	pieces := []string{"a", "A", "á", "a\u0301", " ", "  ", "\t", "\n", "\u00a0", "ß", "ss", "ſ", "æ", "ae", "ł", "l", "1", "①", "½", "%", "_", "\\", "-", "–",
		"я", "Я", "й", "и", "日", "本", "ﬀ", "f", "ﬃ", "\u200b", "\u00ad", "'", "’", "İ", "ı", "i", "😀", "𝒜", "한", "ᄒ", "กำ", "\x00", "\x01", "ü", "ue", "ﷺ", "㌀", "Å", "Å"}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(most int) string {
		s := ""
		for range random.IntN(most + 1) {
			s += pieces[random.IntN(len(pieces))]
		}
		return s
	}
	const batch, batches = 100, 60
	for range batches {
		var texts [batch][2]string
		query, args := "SELECT ", []any{}
		for i := range texts {
			texts[i] = [2]string{pick(5), pick(4)}
			if i > 0 {
				query += ", "
			}
			query += "CONCAT(STRCMP(?, ?), ? LIKE ?)"
			args = append(args, texts[i][0], texts[i][1], texts[i][0], texts[i][1])
		}
		var got [batch]string
		into := make([]any, batch)
		for i := range got {
			into[i] = &got[i]
		}
		if err := db.QueryRow(query, args...).Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, pair := range texts {
			like := 0
			if collation.Compile(pair[1]).Match(pair[0]) {
				like = 1
			}
			if want := fmt.Sprint(collation.Compare(pair[0], pair[1])) + fmt.Sprint(like); got[i] != want {
				t.Errorf("%q and %q: the server says %s, we say %s", pair[0], pair[1], got[i], want)
			}
		}
	}
}
