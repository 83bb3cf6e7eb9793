package kses

import "calbridge/rest/trait"

// mathAttributes are allowed on every element of MathML.
const mathAttributes = "displaystyle scriptlevel mathbackground mathcolor mathsize"

// postElements are the elements of posts by the sites that allow them.
var postElements = []struct {
	sites trait.Condition
	// global are attributes of every element. Names with data- in front are allowed as well.
	global string
	// lines have an element each, with the attributes that it may have besides the global
	// ones. "math:" stands for mathAttributes.
	lines string
}{
	{trait.Condition{}, `
aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label
aria-labelledby aria-live class dir hidden id lang style title role xml:lang`, `
a href rel rev name target download
area alt coords href nohref shape target
article align
aside align
audio autoplay controls loop muted preload src
blockquote cite
button disabled name type value
caption align
col align char charoff span valign width
colgroup align char charoff span valign width
del datetime
details align open
div align
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
nav align
object data type
p align
pre width
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
tr align bgcolor char charoff valign
track default kind label src srclang
ul type
ol start type reversed
video autoplay controls height loop muted playsinline poster preload src width
address
abbr
acronym
b
bdo
big
br
cite
code
dd
dfn
dl
dt
em
fieldset
i
kbd
mark
rb
rp
rt
rtc
ruby
s
samp
small
strike
strong
sub
sup
title
tt
u
var
`},
	{trait.Condition{Without: trait.TextBefore69}, "", `
data value
dialog closedby open popover
meter high low max min optimum value
progress max value
time datetime
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
search
wbr
button popovertarget popovertargetaction aria-haspopup
details name
div popover
ul popover
`},
	{trait.Condition{With: trait.TextSince71}, "tabindex", `
button command commandfor
dialog autofocus
`},
}

// titleElements are the elements of titles, comments and term names.
const titleElements = `
a href title
abbr title
acronym title
b
blockquote cite
cite
code
del datetime
em
i
q cite
s
strike
strong
`

// excerptElements are the elements of the descriptions of JSON-LD.
const excerptElements = `
a class style href rel target id
b class style
strong class style
em class style
span class style
ul class style
li class style
ol class style
`
