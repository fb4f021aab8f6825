package bounds

import (
	"bytes"

	"pagoda/statespace"
)

// An automaton reads words of moves and forbids those that hold a word which an earlier one replaces: that has the
// same effect, can be made wherever the other can, and is shorter, or as long and before it in the order of the
// moves. So the least of all shortest paths is never forbidden. See Taylor and Korf, Pruning duplicate nodes in
// depth-first search, AAAI 1993.
type automaton struct {
	moves int
	next  []int32 // by state and move; below 0: forbidden
}

// A word of moves, and where it can be made.
type word struct {
	moves  uint64 // digits of the base Tracer.Moves, the last one lowest
	length int
	room   [4]int8
	same   int32 // the word before with the same checksum of its effect, or -1
}

// mostWords bounds the words of one length that are tried, and fewWords does in a search that is not long yet.
const (
	mostWords = 1 << 20
	fewWords  = 1 << 17
)

// newAutomaton makes the automaton of the words up to a length. With all, it leaves out only words that shorter ones
// replace: no shortest path holds one.
func newAutomaton(tracer func() statespace.Tracer, length int, all bool) *automaton {
	t, other := newFollower(tracer()), newFollower(tracer())
	words := []word{{same: -1}} // that nothing replaces, by their lengths
	latest := map[uint64]int32{t.Checksum(): 0}
	trie := newTrie(int(t.base))
	most := uint64(mostWords)
	if length <= efforts[0].length {
		most = fewWords
	}
	first, place := 0, uint64(1) // the first word of the last length, and the place of its first move
	for n := 1; n <= length && uint64(len(words)-first)*t.base <= most && place < 1<<60/t.base; n++ {
		last := words[first:]
		end := 0 // of the last words, which are in order, as the ends of words with the same first move are
		first = len(words)
		for _, before := range last {
			for m := range t.base {
				w := word{moves: before.moves*t.base + m, length: n, same: -1}
				ending := w.moves % place
				if end > 0 && last[end-1].moves >= ending {
					end = 0
				}
				for end < len(last) && last[end].moves < ending {
					end++
				}
				if end == len(last) || last[end].moves != ending {
					continue // it is forbidden already
				}
				t.follow(w.moves, n)
				w.room = t.Room()
				sum := t.Checksum()
				same, found := latest[sum]
				if found {
					w.same = same
				}
				for same = w.same; same >= 0 && !((!all || words[same].length < n) && words[same].within(w) && t.like(other, words[same])); same = words[same].same {
				}
				if same >= 0 {
					trie.add(t.letters(w.moves, n))
					continue
				}
				latest[sum] = int32(len(words))
				words = append(words, w)
			}
		}
		place *= t.base
	}
	return &automaton{int(t.base), trie.automaton()}
}

// A follower follows one word after another, in their order.
type follower struct {
	statespace.Tracer
	base uint64
	made []uint8
}

func newFollower(t statespace.Tracer) *follower { return &follower{Tracer: t, base: uint64(t.Moves())} }

// like reports whether the word that was followed has the same effect as another one.
func (f *follower) like(other *follower, w word) bool {
	other.follow(w.moves, w.length)
	return bytes.Equal(f.Effect(nil), other.Effect(nil))
}

// letters returns the moves of a word of some length.
func (f *follower) letters(moves uint64, length int) []uint8 {
	all := make([]uint8, length)
	for i := range all {
		all[length-1-i], moves = uint8(moves%f.base), moves/f.base
	}
	return all
}

// follow makes the moves of a word, from where it differs from the one before.
func (f *follower) follow(moves uint64, length int) {
	var letters [64]uint8
	for i := length - 1; i >= 0; i-- {
		letters[i], moves = uint8(moves%f.base), moves/f.base
	}
	common := 0
	for common < min(length, len(f.made)) && f.made[common] == letters[common] {
		common++
	}
	for len(f.made) > common {
		f.Undo()
		f.made = f.made[:len(f.made)-1]
	}
	for _, m := range letters[common:length] {
		f.Do(m)
		f.made = append(f.made, m)
	}
}

// within reports whether a word can be made wherever another one can.
func (w word) within(other word) bool {
	for i, far := range w.room {
		if far > other.room[i] {
			return false
		}
	}
	return true
}

// A trie has words by their beginnings.
type trie struct {
	moves int
	next  []int32 // by node and move; 0: none
	ends  []bool  // by node: a word ends here
}

func newTrie(moves int) *trie { return &trie{moves, make([]int32, moves), make([]bool, 1)} }

func (t *trie) add(w []uint8) {
	node := int32(0)
	for _, m := range w {
		at := int(node)*t.moves + int(m)
		if node = t.next[at]; node == 0 {
			node = int32(len(t.ends))
			t.next, t.ends = append(t.next, make([]int32, t.moves)...), append(t.ends, false)
			t.next[at] = node
		}
	}
	t.ends[node] = true
}

// automaton returns the automaton that finds the words anywhere, by state and move (Aho and Corasick 1975).
func (t *trie) automaton() []int32 {
	fail := make([]int32, len(t.ends))
	for todo := []int32{0}; len(todo) > 0; todo = todo[1:] {
		node := todo[0]
		for m := range t.moves {
			at := int(node)*t.moves + m
			short := int32(0) // where the move leads from the longest proper ending
			if node != 0 {
				short = t.next[int(fail[node])*t.moves+m]
			}
			switch child := t.next[at]; {
			case child == 0 || short < 0:
				t.next[at] = short
			case t.ends[child]:
				t.next[at] = -1
			default:
				fail[child] = short
				todo = append(todo, child)
			}
		}
	}
	return t.next
}
