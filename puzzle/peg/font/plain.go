package font

import (
	"strings"
	"sync"
	"unicode"
)

// plain has on each line characters of the font, and then those that the font lacks and that they are
// written for: letters without their accents, and letters that others are made of.
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
// its accents, or the letters that it is made of, such as SS for ß. It is empty if there are none.
func Plain(r rune) string {
	if instead, ok := plains()[r]; ok {
		return instead
	}
	return plains()[unicode.ToUpper(r)]
}
