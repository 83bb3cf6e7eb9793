package binlog

import (
	"encoding/hex"
	"strings"
	"testing"
)

// taggedBody is the event of a GTID with the tag "mytag" and the number 2, as MySQL 9.7
// sends it.
const taggedBody = "027600000002505902ed0315029903390322c50319026204f103000000020408060a6d79746167080c0a100c7f37b79202e660061031041283120b"

func TestTaggedGTID(t *testing.T) {
	body, err := hex.DecodeString(taggedBody)
	if err != nil {
		t.Fatal(err)
	}
	from, n, err := parseTaggedGTID(body)
	if err != nil || from.server.String() != "2896fb85-e6ce-11f1-8631-02fc00000001" || from.tag != "mytag" || n != 2 {
		t.Errorf("%v %d %v", from, n, err)
	}
	needed := strings.Index(taggedBody, "6d79746167")/2 + len("mytag")
	for i := range needed {
		if _, _, err := parseTaggedGTID(body[:i]); err == nil {
			t.Errorf("the first %d bytes are taken", i)
		}
	}
	for i := range needed {
		broken := []byte(string(body))
		broken[i] ^= 0xff
		_, _, _ = parseTaggedGTID(broken) // must not panic
	}
}

func TestTaggedPositions(t *testing.T) {
	const text = "2896fb85-e6ce-11f1-8631-02fc00000001:1-4:mytag:1-2"
	p, err := ParsePosition(MySQL, "2896fb85-e6ce-11f1-8631-02fc00000001:MyTag:2:1,\n2896fb85-e6ce-11f1-8631-02fc00000001:1-4")
	if err != nil || p.String() != text {
		t.Fatalf("%v, %v", p, err)
	}
	tagged, err := ParsePosition(MySQL, "2896fb85-e6ce-11f1-8631-02fc00000001:mytag:3")
	if err != nil {
		t.Fatal(err)
	}
	if untagged, _ := ParsePosition(MySQL, "2896fb85-e6ce-11f1-8631-02fc00000001:3"); p.Contains(tagged) || !p.Contains(untagged) || tagged.Contains(untagged) {
		t.Error("a tag makes another transaction")
	}
	if merged := p.Merge(tagged).String(); merged != "2896fb85-e6ce-11f1-8631-02fc00000001:1-4:mytag:1-3" {
		t.Error(merged)
	}
	// As the server itself writes it at the beginning of a file.
	want := "0102000000000001" + "2896fb85e6ce11f1863102fc00000001" + "00" + "0100000000000000" + "0100000000000000" + "0500000000000000" +
		"2896fb85e6ce11f1863102fc00000001" + "0a6d79746167" + "0100000000000000" + "0100000000000000" + "0300000000000000"
	if got := hex.EncodeToString(p.(sets).encode()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{"2896fb85-e6ce-11f1-8631-02fc00000001:1tag:1", "2896fb85-e6ce-11f1-8631-02fc00000001:ta-g:1"} {
		if p, err := ParsePosition(MySQL, bad); err == nil {
			t.Errorf("%s is %s", bad, p)
		}
	}
}

func TestOwned(t *testing.T) {
	const server = "2896fb85-e6ce-11f1-8631-02fc00000001"
	for text, want := range map[string]string{
		"": "", server + ":7#12": server + ":7", server + ":7#12:8#13,\n" + server + ":mytag:1#14": server + ":7-8:mytag:1",
	} {
		if got, err := ParseOwned(text); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	if _, err := ParseOwned("x#1"); err == nil {
		t.Error("nonsense is taken")
	}
}
