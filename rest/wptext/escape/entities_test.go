package escape

import (
	"html"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"calbridge/rest/wptext/texttest"
)

// latin1 names the characters from U+00A0 to U+00FF in their order.
const latin1 = `
nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml
Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc
Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml
aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc
otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`

// symbols are names with the characters or the code points that they mean.
const symbols = `
Alpha=Α Beta=Β Gamma=Γ Delta=Δ Epsilon=Ε Zeta=Ζ Eta=Η Theta=Θ Iota=Ι Kappa=Κ Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ
Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ Omega=Ω alpha=α beta=β gamma=γ delta=δ
epsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π rho=ρ sigmaf=ς
sigma=σ tau=τ upsilon=υ phi=φ chi=χ psi=ψ omega=ω thetasym=ϑ upsih=ϒ piv=ϖ
quot=0022 amp=0026 apos=0027 lt=003C gt=003E OElig=Œ oelig=œ Scaron=Š scaron=š Yuml=Ÿ fnof=ƒ circ=ˆ
tilde=˜ ensp=2002 emsp=2003 thinsp=2009 zwnj=200C zwj=200D lrm=200E rlm=200F ndash=– mdash=— lsquo=‘
rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ dagger=† Dagger=‡ bull=• hellip=… permil=‰ prime=′ Prime=″
lsaquo=‹ rsaquo=› oline=‾ frasl=⁄ euro=€ image=ℑ weierp=℘ real=ℜ trade=™ alefsym=ℵ larr=← uarr=↑ rarr=→
darr=↓ harr=↔ crarr=↵ lArr=⇐ uArr=⇑ rArr=⇒ dArr=⇓ hArr=⇔ forall=∀ part=∂ exist=∃ empty=∅ nabla=∇ isin=∈
notin=∉ ni=∋ prod=∏ sum=∑ minus=− lowast=∗ radic=√ prop=∝ infin=∞ ang=∠ and=∧ or=∨ cap=∩ cup=∪ int=∫
there4=∴ sim=∼ cong=≅ asymp=≈ ne=≠ equiv=≡ le=≤ ge=≥ sub=⊂ sup=⊃ nsub=⊄ sube=⊆ supe=⊇ oplus=⊕ otimes=⊗
perp=⊥ sdot=⋅ lceil=⌈ rceil=⌉ lfloor=⌊ rfloor=⌋ loz=◊ spades=♠ clubs=♣ hearts=♥ diams=♦ lang=⟨ rang=⟩`

// TestEntityNames: a named reference that WordPress allows stays. That each name is one
// of HTML is checked with Go's own table.
func TestEntityNames(t *testing.T) {
	next := rune(0xA0)
	check := func(name string, char rune) {
		reference := "&" + name + ";"
		if html.UnescapeString(reference) != string(char) {
			t.Errorf("%s isn't %c", reference, char)
		}
		texttest.CheckPairs(t, Rules{}.NormalizeEntities, reference, reference, "&"+name, "&amp;"+name, "&"+name+"q;", "&amp;"+name+"q;")
	}
	for name := range strings.FieldsSeq(latin1) {
		check(name, next)
		next++
	}
	if next != 0x100 {
		t.Errorf("Latin 1 ends at %U", next)
	}
	for pair := range strings.FieldsSeq(symbols) {
		name, char, _ := strings.Cut(pair, "=")
		r, size := utf8.DecodeRuneInString(char)
		if code, err := strconv.ParseUint(char, 16, 32); err == nil && size < len(char) {
			r = rune(code)
		}
		check(name, r)
	}
	texttest.CheckPairs(t, Rules{}.NormalizeEntities,
		"&colon;&NewLine;&lbrace;&nopf;&AMP;&Nbsp;", "&amp;colon;&amp;NewLine;&amp;lbrace;&amp;nopf;&amp;AMP;&amp;Nbsp;")
}

// TestInvalidEntities: a reference to a byte of Windows-1252 becomes one to its
// character, or vanishes if the byte has none.
func TestInvalidEntities(t *testing.T) {
	for code := 128; code < 160; code++ {
		want := "&#" + strconv.Itoa(int(charmap.Windows1252.DecodeByte(byte(code)))) + ";"
		if r := charmap.Windows1252.DecodeByte(byte(code)); r == utf8.RuneError {
			want = ""
		}
		in := "&#" + strconv.Itoa(code) + ";"
		texttest.CheckPairs(t, ConvertInvalidEntities, in, want, "a"+in+in+"b", "a"+want+want+"b")
	}
	for _, in := range []string{"&#127;", "&#160;", "&#1500;", "&#15", "&#1;", "&#12a;", "&#1", "&#0128;"} {
		texttest.CheckPairs(t, ConvertInvalidEntities, in, in)
	}
}
