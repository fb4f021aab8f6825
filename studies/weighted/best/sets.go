package best

import "math/bits"

// A set is cells of a board, a bit for each place of its rows and columns.
type set interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [64]uint64
}

func has[S set](s S, i int) bool  { return s[i>>6]>>(i&63)&1 == 1 }
func add[S set](s *S, i int)      { (*s)[i>>6] |= 1 << (i & 63) }
func remove[S set](s *S, i int)   { (*s)[i>>6] &^= 1 << (i & 63) }
func without[S set](s S, i int) S { remove(&s, i); return s }
func isEmpty[S set](s S) bool     { var none S; return s == none }
func appendPlaces[S set](to []int32, s S) []int32 {
	for w := range len(s) {
		for t := s[w]; t != 0; t &= t - 1 {
			to = append(to, int32(w<<6+bits.TrailingZeros64(t)))
		}
	}
	return to
}

// An axis is a direction of lines: the distance of the places of two neighbours, and the cells that have
// both neighbours.
type axis[S set] struct {
	words, bits int
	both        S
}

// peel returns the largest region in a set of pegs: it takes away pegs one by one that have, in some
// line, none of the set on either side.
func peel[S set](axes []axis[S], s S) S {
	for {
		before := s
		for i := range axes {
			a := &axes[i]
			for w := range len(s) {
				if s[w] == 0 {
					continue
				}
				near := ^a.both[w]
				if v := w - a.words; v >= 0 {
					near |= s[v] << a.bits
					if v > 0 {
						near |= s[v-1] >> (64 - a.bits)
					}
				}
				if v := w + a.words; v < len(s) {
					near |= s[v] >> a.bits
					if v+1 < len(s) {
						near |= s[v+1] << (64 - a.bits)
					}
				}
				s[w] &= near
			}
		}
		if s == before || isEmpty(s) {
			return s
		}
	}
}
