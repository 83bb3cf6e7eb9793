package kses

// postGlobalAttributes are allowed on every element of a post.
const postGlobalAttributes = `
aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label
aria-labelledby aria-live class data-* dir hidden id lang style title role xml:lang`

// mathAttributes are allowed on every element of MathML.
const mathAttributes = "displaystyle scriptlevel mathbackground mathcolor mathsize"

// postElements lists, one element a line, the elements of a post and the
// attributes that each may have besides the global ones; "math:" stands for
// mathAttributes.
const postElements = `
a href rel rev name target download
area alt coords href nohref shape target
article align
aside align
audio autoplay controls loop muted preload src
blockquote cite
button disabled name type value popovertarget popovertargetaction aria-haspopup
caption align
col align char charoff span valign width
colgroup align char charoff span valign width
data value
del datetime
details align open name
div align popover
dialog closedby open popover
figure align
figcaption align
font color face size
footer align
h1 align
h2 align
h3 align
h4 align
h5 align
h6 align
header align
hgroup align
hr align noshade size width
img alt align border height hspace loading longdesc vspace src usemap width
ins datetime cite
label for
legend align
li align value
main align
map name
menu type
meter high low max min optimum value
nav align
object data type
p align
pre width
progress max value
q cite
span align
section align
summary align
table align bgcolor border cellpadding cellspacing rules summary width
tbody align char charoff valign
td abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width
textarea cols rows disabled name readonly
tfoot align char charoff valign
th abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width
thead align char charoff valign
time datetime
tr align bgcolor char charoff valign
track default kind label src srclang
ul type popover
ol start type reversed
video autoplay controls height loop muted playsinline poster preload src width
math math: display
mtext math:
mi math: mathvariant
mn math:
mo math: form fence separator lspace rspace stretchy symmetric maxsize minsize largeop movablelimits
mspace math: width height depth
ms math:
mrow math:
mfrac math: linethickness
msqrt math:
mroot math:
mstyle math:
merror math:
mpadded math: width height depth lspace voffset
mphantom math:
msub math:
msup math:
msubsup math:
munder math: accentunder accent
mover math: accentunder accent
munderover math: accentunder accent
mmultiscripts math:
mprescripts math:
mtable math: columnalign rowspacing columnspacing align rowalign columnlines rowlines frame framespacing width
mtr math: columnalign rowalign
mtd math: columnspan rowspan columnalign rowalign
semantics math:
annotation math: encoding
menclose math: notation
`

// plainPostElements are elements of a post with the global attributes alone.
const plainPostElements = `
address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s
samp search small strike strong sub sup title tt u var wbr`
