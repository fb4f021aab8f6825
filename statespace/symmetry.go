package statespace

import (
	"context"
	"fmt"
	"slices"

	"pagoda/bitset"
)

// A Symmetric space looks the same from several sides: what is reached in it is the
// same set, seen from any of them.
type Symmetric interface {
	Space
	// Symmetries returns the symmetries that the space knows of and that keep every
	// root where it is, without the identity and each once. With the identity they
	// are a group.
	Symmetries() []Symmetry
}

// A Symmetry takes states to states, one to one, roots to themselves and moves to
// moves, in the same layers. Words are those of a set: the numbers from 64*word on, of
// which there are states below Size; bits beyond are 0. Its methods may be called by
// several goroutines at once.
type Symmetry interface {
	// Map returns the image of a state.
	Map(x Index) Index
	// Least returns which numbers of a word are not above their images; see
	// LeastPlain.
	Least(word uint64) uint64
	// Gather returns which numbers of a word have their images in the set of which
	// read gives the words; see GatherPlain.
	Gather(word uint64, read func(word uint64) uint64) uint64
	// TakesBlocks reports whether numbers that differ in their lowest bits only, so many
	// of them, have images that do.
	TakesBlocks(bits int) bool
}

// LeastPlain is Symmetry.Least one number at a time, in a space of the given size.
func LeastPlain(s Symmetry, word, size uint64) (least uint64) {
	for x := 64 * word; x < min(64*word+64, size); x++ {
		if x <= s.Map(x) {
			least |= 1 << (x % 64)
		}
	}
	return least
}

// GatherPlain is Symmetry.Gather one number at a time, in a space of the given size.
func GatherPlain(s Symmetry, word, size uint64, read func(word uint64) uint64) (found uint64) {
	for x := 64 * word; x < min(64*word+64, size); x++ {
		y := s.Map(x)
		found |= read(y/64) >> (y % 64) & 1 << (x % 64)
	}
	return found
}

// Symmetries returns the symmetries of a Symmetric space, and none of another.
func Symmetries(sp Space) []Symmetry {
	if s, ok := sp.(Symmetric); ok {
		return s.Symmetries()
	}
	return nil
}

// Orbit returns how many states there are among a state and its images.
func Orbit(symmetries []Symmetry, x Index) int {
	images := []Index{x}
	for _, s := range symmetries {
		if y := s.Map(x); !slices.Contains(images, y) {
			images = append(images, y)
		}
	}
	return len(images)
}

// Fold returns the least members among those of a word: a member is least when none
// of its images is below it. Of the states that are images of each other, one is
// least.
func Fold(symmetries []Symmetry, word, members uint64) uint64 {
	for _, s := range symmetries {
		if members == 0 {
			break
		}
		members &= s.Least(word)
	}
	return members
}

// Unfold returns a word of the set of all images of members of a set, of which read
// gives the words.
func Unfold(symmetries []Symmetry, word uint64, read func(word uint64) uint64) uint64 {
	// What a symmetry takes to a member is an image of it by the inverse, and that is
	// a symmetry too.
	members := read(word)
	for _, s := range symmetries {
		members |= s.Gather(word, read)
	}
	return members
}

// FoldSet leaves only the least members in a set; see Fold. When ctx ends, it stops
// soon and returns the cause; the set is then not to be used.
func FoldSet(ctx context.Context, sp Space, set *bitset.Set, threads int, progress *Progress) error {
	if set.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the set holds %d", sp.Name(), sp.Size(), set.Len())
	}
	symmetries, words := Symmetries(sp), set.Words()
	fold := func(i uint64) { words[i] = Fold(symmetries, i, words[i]) }
	return Do(ctx, &foldWork{words, fold}, threads, progress)
}

// UnfoldSet makes a set that of all images of the members of another, which is in other
// memory. When ctx ends, it stops soon and returns the cause.
func UnfoldSet(ctx context.Context, sp Space, folded, set *bitset.Set, threads int, progress *Progress) error {
	if folded.Len() != sp.Size() || set.Len() != sp.Size() {
		return fmt.Errorf("%s has %d numbers, the sets hold %d and %d", sp.Name(), sp.Size(), folded.Len(), set.Len())
	}
	symmetries, from, to := Symmetries(sp), folded.Words(), set.Words()
	read := func(word uint64) uint64 { return from[word] }
	unfold := func(i uint64) { to[i] = Unfold(symmetries, i, read) }
	return Do(ctx, &foldWork{to, unfold}, threads, progress)
}

// foldWork is the work of FoldSet and of UnfoldSet.
type foldWork struct {
	words []uint64
	each  func(word uint64)
}

const foldTask = 1 << 12 // words

// Stages implements Work.
func (f *foldWork) Stages() int { return 1 }

// Tasks implements Work.
func (f *foldWork) Tasks(int) int { return (len(f.words) + foldTask - 1) / foldTask }

// NewWorker implements Work.
func (f *foldWork) NewWorker() Worker { return f }

// Do implements Worker.
func (f *foldWork) Do(_, task int) {
	for i := task * foldTask; i < min((task+1)*foldTask, len(f.words)); i++ {
		f.each(uint64(i))
	}
}
