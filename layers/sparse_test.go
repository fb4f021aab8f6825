package layers_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/sorted"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// sortedList returns the bytes of a list of codes of some words each.
func sortedList(t testing.TB, words int, codes []uint64) []byte {
	t.Helper()
	var data bytes.Buffer
	w, err := sorted.NewWriter(&data, words)
	if err == nil {
		err = w.Append(codes)
	}
	if err == nil {
		_, err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

// listed numbers a space by a list of states of it, and returns what a file of the sparse store
// keeps of them.
func listed(t testing.TB, sp statespace.Space, members bitset.Reader) (statespace.Space, *layers.Found) {
	t.Helper()
	var codes []uint64
	for i := range bitset.Blocks(members) {
		words, err := members.Block(i)
		if err != nil {
			t.Fatal(err)
		}
		for k, word := range words {
			for ; word != 0; word &= word - 1 {
				codes = append(codes, i<<bitset.BlockBits+uint64(64*k+bits.TrailingZeros64(word)))
			}
		}
	}
	list, err := sorted.Over(sortedList(t, 1, codes))
	if err != nil {
		t.Fatal(err)
	}
	renumbered, err := sparse.Of(sp).Numbered(list)
	if err != nil {
		t.Fatal(err)
	}
	found := &layers.Found{Everything: layers.Everything(list.Len()), List: list}
	if isLayered(sp) {
		return renumbered, found
	}
	distances := distancesByMap(sp)
	most := 0
	for _, x := range codes {
		most = max(most, distances[x])
	}
	found.Distances, found.Whole = planes(t, found.Len(), bits.Len(uint(most+1))), true
	for rank, x := range codes {
		found.Distances.Set(uint64(rank), uint16(distances[x]+1))
	}
	return renumbered, found
}

// goalOf describes the nearest goals of a space by their places in a list; nil if there are none.
func goalOf(t testing.TB, sp statespace.Space, list *sorted.List) *layers.Goal {
	t.Helper()
	plain := searchPlain(t, sp)
	if len(plain.Goals) == 0 {
		return nil
	}
	paths, err := bfs.FindShortest(t.Context(), sp, plain.distances, plain.Goals, plain.Length, 0)
	if err != nil {
		t.Fatal(err)
	}
	goal := &layers.Goal{Distance: plain.Length, Solutions: paths.Total(), Count: uint64(len(plain.Goals))}
	for _, x := range plain.Goals {
		rank, ok, err := list.Rank([]uint64{x})
		if !ok || err != nil {
			t.Fatalf("the goal %d is not in the list: %v", x, err)
		}
		goal.Nearest = append(goal.Nearest, rank)
	}
	return goal
}

func isLayered(sp statespace.Space) bool {
	ok := sp.Parts().Layers != nil
	return ok
}

func planes(t testing.TB, n uint64, width int) *bitset.Planes {
	t.Helper()
	p, err := bitset.PlanesOver(make([]uint64, bitset.PlaneWords(n, width)), n, width)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inStore returns what to write for some states of a space: these, or a list of them if the store
// keeps one. Then it changes the metadata, too.
func inStore(t testing.TB, sp statespace.Space, members bitset.Reader, meta *layers.Meta) (statespace.Space, bitset.Reader) {
	t.Helper()
	if store, err := layers.FindStore(meta.Store); err != nil || !store.Lists {
		return sp, members
	}
	renumbered, found := listed(t, sp, members)
	meta.Space, meta.Size = renumbered.Definition(), renumbered.Size()
	if !isLayered(sp) && meta.Goal == nil {
		meta.Goal = goalOf(t, sp, found.List)
	}
	return renumbered, found
}

// membersOf returns the states of a file as numbers of a space, whatever numbers the file has.
func membersOf(t testing.TB, f *layers.File, sp statespace.Space) bitset.Reader {
	t.Helper()
	if !f.Store().Lists {
		return f.Members()
	}
	set, number := bitset.New(sp.Size()), f.Space().Parts().Codes.Number
	if err := f.Read(func() error {
		for x := range f.Space().Size() {
			set.Add(number(x))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return set
}

// inFile returns what can be reached by the numbers of a file. It checks that a list of states has
// all of them, and in order.
func inFile(t testing.TB, f *layers.File, sp reached) reached {
	t.Helper()
	if !f.Store().Lists {
		return sp
	}
	all, number := bitset.New(f.Space().Size()), f.Space().Parts().Codes.Number
	rank := uint64(0)
	for x := range sp.set.All() {
		if y := number(rank); y != x {
			t.Fatalf("state %d of the list is %d, want %d", rank, y, x)
		}
		all.Add(rank)
		rank++
	}
	if rank != f.Space().Size() {
		t.Fatalf("the list has %d states, want %d", f.Space().Size(), rank)
	}
	if rank > 1<<18 {
		return reached{f.Space(), all, sp.layers} // for its time
	}
	again := explore(t, f.Space())
	if !slices.Equal(again.set.Words(), all.Words()) || !slices.Equal(again.layers, sp.layers) {
		t.Errorf("in the listed space %v can be reached, want %v", again.layers, sp.layers)
	}
	return reached{f.Space(), all, sp.layers}
}

// A listFile is the parts of a file of the sparse store.
type listFile struct {
	codes, distances []byte // distances may be nil
	meta             layers.Meta
}

// listFileOf returns the parts of the file of what can be reached in a space.
func listFileOf(t testing.TB, sp reached) listFile {
	t.Helper()
	meta := metaOf(sp, layers.SparseStore)
	_, members := inStore(t, sp.Space, sp.set, meta)
	found := members.(*layers.Found)
	var codes bytes.Buffer
	if _, err := found.List.WriteTo(&codes); err != nil {
		t.Fatal(err)
	}
	file := listFile{codes: codes.Bytes(), meta: *meta}
	if found.Distances != nil {
		file.distances = little(found.Distances.Words())
	}
	if found.Whole {
		file.meta.DistanceBits = found.Distances.Width()
	}
	return file
}

// open writes the file and opens it.
func (l listFile) open(t testing.TB) (*layers.File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.reach")
	var sections []layers.RawSection
	if l.codes != nil {
		sections = append(sections, layers.RawSection{Name: "codes", Data: l.codes})
	}
	if l.distances != nil {
		sections = append(sections, layers.RawSection{Name: "distances", Data: l.distances})
	}
	layers.Handmade(t, path, &l.meta, sections...)
	return layers.Open(t.Context(), path, define, 0)
}

// wrapped returns a list of the codes 5 and 3, in this order, with right checksums.
func wrapped(t testing.TB) []byte {
	t.Helper()
	data := sortedList(t, 1, []uint64{0, 1<<64 - 2})
	footer := data[len(data)-32:]
	index := data[binary.LittleEndian.Uint64(footer[16:]) : len(data)-32]
	index[0] = 5 // the first code of the chunk: the second is still 2^64-2 more
	crc := crc32.Checksum(slices.Concat(index, footer[:24]), crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(footer[24:], crc)
	return data
}

// What is wrong with a list of states is found when the file is opened, whatever its checksums
// say. What is not reached by its moves is left to run.Verify.
func TestHostileSparse(t *testing.T) {
	for _, sp := range []reached{explore(t, directedRing), explore(t, undirectedRing), reach(t, "oooo\no.oo\noooo\noooo")} {
		good := listFileOf(t, sp)
		f, err := good.open(t)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Check(t.Context(), 1, nil), f.Prove(t.Context(), nil, 1), proveCodes(t, f), readStore(f)); err != nil {
			t.Fatal(err)
		}
		f.Close()
		refused := func(text string, change func(l *listFile)) {
			t.Helper()
			bad := good
			bad.meta.Layers = slices.Clone(good.meta.Layers)
			change(&bad)
			f, err := bad.open(t)
			if !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %v; want %q", sp.Name(), err, text)
			}
			if err == nil {
				f.Close()
			}
		}
		codes := slices.Collect(sp.set.All())
		n := len(codes)
		listing := func(words int, codes []uint64) func(l *listFile) {
			return func(l *listFile) { l.codes = sortedList(t, words, codes) }
		}
		root := sp.Roots()[0]
		rootless := slices.DeleteFunc(slices.Clone(codes), func(x uint64) bool { return x == root })
		refused(`its section "codes" should be there`, func(l *listFile) { l.codes = nil })
		refused(`its section "codes": damaged list`, func(l *listFile) { l.codes = []byte{} })
		refused(`its section "codes": damaged list`, func(l *listFile) { l.codes = l.codes[:len(l.codes)-8] })
		refused(fmt.Sprintf(`it should have %d codes, and has %d`, n, n-1), listing(1, rootless))
		refused(fmt.Sprintf(`it should have %d codes, and has %d`, n, n+1), listing(1, append(slices.Clone(codes), 1<<60)))
		refused(fmt.Sprintf("should be below %d", sp.Size()), listing(1, append(slices.Clone(codes[:n-1]), 1<<60)))
		refused(fmt.Sprintf("should be below %d", sp.Size()), listing(1, append(slices.Clone(codes[:n-1]), sp.Size())))
		if spare := slices.IndexFunc(sp.set.Words(), func(w uint64) bool { return w == 0 }); spare >= 0 {
			other := append(rootless, uint64(64*spare))
			slices.Sort(other)
			refused("the table of codes should have the start, and lacks it", listing(1, other))
		}
		var pairs []uint64
		for _, x := range codes {
			pairs = append(pairs, 0, x)
		}
		refused(fmt.Sprintf("the codes of %s should have 1 words, and have 2", sp.Name()), listing(2, pairs))
		refused("numbered by its codes", func(l *listFile) { l.meta.Space = sp.Definition() })
		refused("should be states", func(l *listFile) {
			l.meta.States--
			l.meta.Layers[len(l.meta.Layers)-1].States--
		})
		refused("should have 2 codes that increase, and has 1", func(l *listFile) {
			l.codes, l.meta.Size, l.meta.States, l.meta.Goal = wrapped(t), 2, 2, nil
			l.meta.Layers = []statespace.Layer{{States: 2}}
		})
		if good.distances == nil {
			continue
		}
		refused(`its section "distances"`, func(l *listFile) { l.distances = nil })
		refused(`its section "distances"`, func(l *listFile) { l.distances = l.distances[8:] })
		refused("its layers should be 0, 1, 2", func(l *listFile) { l.meta.Layers[1].Layer = 7 })
		if good.meta.DistanceBits > 0 {
			refused("should have", func(l *listFile) { l.meta.DistanceBits++ })
			modulo := `its section "distances"`
			if !sp.Space.Parts().Undirected {
				modulo = "should be whole"
			}
			refused(modulo, func(l *listFile) { l.meta.DistanceBits = 0 })
		}
	}
}

// proveCodes proves the codes of a file and their distances, if it has some.
func proveCodes(t *testing.T, f *layers.File) error {
	t.Helper()
	entry, last := (func(uint64) (uint16, error))(nil), -1
	if said, ok := f.Distances(); ok && said.Whole {
		entry = said.At
	}
	if m := f.Meta(); m.Goal != nil && f.Space().Parts().Goals.Ends {
		last = m.Goal.Distance
	}
	return f.Read(func() error { return f.ProveCodes(t.Context(), entry, last, 2, nil) })
}

// A list that lacks a state to which a move leads is not proved; the error names the state from
// which it leads.
func TestProveClosed(t *testing.T) {
	for _, sp := range []reached{explore(t, directedRing), explore(t, undirectedRing), explore(t, endingRing), reach(t, "oooo\no.oo\noooo\noooo")} {
		codes, distances := slices.Collect(sp.set.All()), distancesByMap(sp.Space)
		var some []uint64
		for i := 1; i < len(codes); i += 1 + len(codes)/7 {
			some = append(some, codes[i])
		}
		rank := func(x uint64) int { // a goal, or a state that is alone in its layer, must stay
			if sp.Space.Parts().Goals.Has(x) || !isLayered(sp.Space) && sp.layers[distances[x]].States == 1 {
				return -1
			}
			return distances[x]
		}
		farthest := slices.MaxFunc(codes, func(x, y uint64) int { return rank(x) - rank(y) })
		for _, lacking := range append(some, farthest) {
			if slices.Contains(sp.Roots(), lacking) {
				continue
			}
			less := reached{sp.Space, bitset.New(sp.Size()), slices.Clone(sp.layers)}
			copy(less.set.Words(), sp.set.Words())
			less.set.Flip(lacking)
			if l := sp.Space.Parts().Layers; l != nil {
				less.layers = statespace.CountLayers(sp.Space, less.set)
			} else {
				less.layers[distances[lacking]].States--
			}
			file := listFileOf(t, less)
			f, err := file.open(t)
			if err != nil {
				t.Fatalf("%s without %d: %v", sp.Name(), lacking, err)
			}
			err = proveCodes(t, f)
			var number uint64
			if !errors.Is(err, layers.ErrDamaged) || !strings.Contains(err.Error(), "leads to a state that is not in it") {
				t.Errorf("%s without %d: %v", sp.Name(), lacking, err)
			} else if _, from, _ := strings.Cut(err.Error(), "reached: number "); err != nil {
				fmt.Sscan(from, &number)
				_, path := sparse.Original(f.Space(), statespace.Path{From: number})
				if edges := sp.Successors(nil, path.From); !slices.ContainsFunc(edges, func(e statespace.Edge) bool { return e.To == lacking }) {
					t.Errorf("%s without %d: no move leads there from %d", sp.Name(), lacking, path.From)
				}
			}
			f.Close()
		}
	}
}

// Distances modulo 3 are enough where moves can be taken back: a list of states that are very far
// away has them.
func TestListModulo3(t *testing.T) {
	sp := explore(t, undirectedRing)
	plain, l := searchPlain(t, sp.Space), listFileOf(t, sp)
	marks := planes(t, sp.set.Count(), bfs.MarkBits)
	for rank, x := uint64(0), uint64(0); x < sp.Size(); x++ {
		if sp.set.Has(x) {
			marks.Set(rank, uint16(plain.marks.Get(x)))
			rank++
		}
	}
	l.distances, l.meta.DistanceBits = little(marks.Words()), 0
	f, err := l.open(t)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found, err := f.Planes()
	if d, ok := f.Distances(); !ok || d.Whole || err != nil || found == nil || !slices.Equal(found.Words(), marks.Words()) {
		t.Errorf("distances: %t, whole: %t (%v)", ok, d.Whole, err)
	}
}

// To open a file of the sparse store looks at every code, which may last: it stops when the context
// ends.
func TestOpenSparseStops(t *testing.T) {
	f, err := listFileOf(t, explore(t, undirectedRing)).open(t)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := layers.Open(ctx, f.Path(), define, 0); !errors.Is(err, stop) {
		t.Errorf("opening it ended with %v", err)
	}
}
