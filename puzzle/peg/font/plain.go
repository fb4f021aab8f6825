package font

import (
	"strings"
	"sync"
	"unicode"
)

// plain lists what the font lacks and what is written instead: letters without their accents, and the
// letters of which others are made.
const plain = `A ÀÁÂÃÄÅĀĂĄ
AE Æ
C ÇĆĈĊČ
D ÐĎĐ
E ÈÉÊËĒĔĖĘĚ
G ĜĞĠĢ
H ĤĦ
I ÌÍÎÏĨĪĬĮİ
IJ Ĳ
J Ĵ
K Ķ
L ĹĻĽĿŁ
N ÑŃŅŇŊ
O ÒÓÔÕÖØŌŎŐ
OE Œ
R ŔŖŘ
S ŚŜŞŠȘ
SS ßẞ
T ŢŤŦȚ
TH Þ
U ÙÚÛÜŨŪŬŮŰŲ
W ŴẀẂẄ
Y ÝŶŸ
Z ŹŻŽ
' ‘’ʼ
- ‐‑–—−
... …`

var plains = sync.OnceValue(func() map[rune]string {
	all := make(map[rune]string)
	for line := range strings.Lines(plain) {
		instead, lacking, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, r := range lacking {
			all[r] = instead
		}
	}
	return all
})

// Plain returns the characters of the font that are written for one that it lacks: the letter without
// its accents, or the letters of which it is made, such as SS for ß. It is empty if there are none.
func Plain(r rune) string {
	if instead, ok := plains()[r]; ok {
		return instead
	}
	return plains()[unicode.ToUpper(r)]
}
