package run

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"slices"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
	"pagoda/statespace/sweep"
)

// Verify checks every byte of an open file. Then it proves that the file holds exactly the states
// that can be reached, and that all else is right that the file says of them. The proof makes moves
// by code of its own, and shares little with the engines but the numbering:
//
//   - In a space with layers, the start is a member, successors of members are members, and any
//     other member has a predecessor that is a member. The layers are counted again. A folded
//     set is proved as it is.
//   - The distances of a list of states, and values of states, are proved by those of their neighbours: see
//     sparse.Proof and bfs.CertifyValues.
//   - The values of a game against chance are proved by those of all successors: see chance.Verify.
//   - Otherwise, a second search runs, and all distances are compared: see bfs.SearchProof.
//
// Verify uses the options Memory, Threads and Meter; without Memory it is that of the file. If more
// is needed, the error is a *statespace.MemoryError. The error is a *layers.FileError if the file is
// wrong, and another one if it was changed meanwhile. When ctx ends, Verify stops soon and returns the cause.
func Verify(ctx context.Context, f *layers.File, o Options) error {
	o = o.fill()
	if err := CheckFile(ctx, f, o); err != nil {
		return err
	}
	sp := f.Space()
	var progress statespace.Progress
	defer o.Meter("verifying", sp.Size(), "numbers", progress.Read)()
	v := &verification{ctx: ctx, f: f, sp: sp, threads: o.Threads, progress: &progress}
	need, prove := v.proof()
	if allowed := cmp.Or(o.Memory, f.Memory()); need > allowed {
		return &statespace.MemoryError{Name: f.Path(), Need: need, Allowed: allowed}
	}
	return cmp.Or(f.Read(prove), f.Intact())
}

// A verification is a Verify under way.
type verification struct {
	ctx      context.Context
	f        *layers.File
	sp       statespace.Space
	threads  int
	progress *statespace.Progress
}

// proof returns the proof of the file, which has been checked, and about how many bytes it takes.
func (v *verification) proof() (need uint64, prove func() error) {
	parts, listed := v.sp.Parts(), v.f.Store().Lists
	if listed {
		need = sparse.ProofBytes(v.sp.Size(), sparse.Of(parts.Codes.Of).Graph().Words, v.threads)
	}
	if parts.Layers == nil {
		said, measured := v.f.Distances()
		whole := measured && said.Whole
		if whole && (listed || parts.Values.Any()) {
			return need, func() error { return v.whole(said) }
		}
		need += v.f.SetMemory() + bfs.MarkBits*SetBytes(v.sp) + bfs.ProofBytes(v.sp)
		if whole || bfs.FindsWhole(v.sp) {
			need += 8 * bitset.PlaneWords(v.sp.Size(), 8)
		}
		return need, func() error { return v.distances(measured, whole) }
	}
	if folded, ok := v.f.Folded(); ok {
		return 0, func() error { return v.folded(folded) }
	}
	if worth, ok := v.f.Worth(); ok {
		return worth.ProofMemory(), func() error { return v.worth(worth) }
	}
	need += v.f.SetMemory()
	if sweep.Of(v.sp).Certify == nil {
		need += SetBytes(v.sp) // what the members lead to
	}
	return need, v.set
}

// wrong says what is wrong with the states of the file.
func (v *verification) wrong(format string, args ...any) error {
	return &layers.FileError{Path: v.f.Path(), Err: layers.ErrDamaged, Detail: fmt.Sprintf(format, args...), Advice: "make it again"}
}

// wrongState says what is wrong with one number.
func (v *verification) wrongState(x uint64, what string) error {
	at := fmt.Sprintf("number %d", x)
	if x < v.sp.Size() {
		at += ", " + v.sp.Format(x) + ","
	}
	return v.wrong("its states are not what can be reached: %s %s", at, what)
}

func (v *verification) folded(folded statespace.FoldedSet) error {
	faults, err := sweep.VerifyFolded(v.ctx, v.sp, folded, v.threads, v.progress)
	if err = cmp.Or(err, v.faults(faults)); err != nil {
		return err
	}
	counts, err := sweep.CountFolded(v.ctx, v.sp, folded, v.threads)
	if err != nil {
		return err
	}
	return v.rest(Describe(v.sp, counts), nil)
}

func (v *verification) set() error {
	set, free, err := layers.LoadSet(v.ctx, v.f.Members(), v.threads)
	if err != nil {
		return err
	}
	defer free()
	if v.f.Store().Lists {
		err = v.f.ProveCodes(v.ctx, nil, -1, v.threads, v.progress)
	} else {
		var faults statespace.Faults
		faults, err = sweep.Verify(v.ctx, v.sp, set, v.threads, v.progress)
		err = cmp.Or(err, v.faults(faults))
	}
	if err != nil {
		return err
	}
	counts, err := sweep.CountLayers(v.ctx, v.sp, set, v.threads)
	if err != nil {
		return err
	}
	return v.rest(Describe(v.sp, counts), set)
}

// worth proves the file of a game against chance.
func (v *verification) worth(w *layers.Worth) error {
	found, err := w.Prove(v.ctx, v.threads, v.progress)
	if err != nil {
		return err
	}
	want := Describe(v.sp, chanceLayers(found))
	want.Figures = found.Figures()
	return v.rest(want, nil)
}

// faults returns an error if there are faults.
func (v *verification) faults(faults statespace.Faults) error {
	if faults.Count == 0 {
		return nil
	}
	return v.wrongState(faults.First.State, fmt.Sprintf("%v; %d states are at fault", faults.First.Kind, faults.Count))
}

// rest proves all that the file says besides its members, given their set and the metadata that were found.
// The file need not have orbits, nor figures by layer.
func (v *verification) rest(want *layers.Meta, set *bitset.Set) error {
	said := v.f.Meta()
	if slices.Equal(said.Layers, layers.WithoutOrbits(said.Layers)) {
		want.Layers = layers.WithoutOrbits(want.Layers)
	}
	for i := range min(len(want.Figures), len(said.Figures)) {
		if said.Figures[i].ByLayer == nil {
			want.Figures[i].ByLayer = nil
		}
	}
	if err := v.same(want); err != nil {
		return err
	}
	if err := v.f.ProveMeta(want); err != nil {
		return err
	}
	return v.f.Prove(v.ctx, set, v.threads)
}

// same compares the fields that differ most often, for an error in words. ProveMeta compares all.
func (v *verification) same(want *layers.Meta) error {
	said := v.f.Meta()
	for i := range max(len(want.Layers), len(said.Layers)) {
		a, b := layerAt(want.Layers, i), layerAt(said.Layers, i)
		if a != b {
			return v.wrong("layer %d of %d should be %s, and is %s", i, len(want.Layers), a, b)
		}
	}
	if !slices.EqualFunc(want.Figures, said.Figures, statespace.Figure.Equal) {
		return v.wrong("its figures should be %v, and are %v", want.Figures, said.Figures)
	}
	if !reflect.DeepEqual(want.Goal, said.Goal) {
		return v.wrong("its nearest goals should be %s, and are %s", formatGoal(want.Goal), formatGoal(said.Goal))
	}
	return nil
}

// layerAt describes a layer in a few words.
func layerAt(all []statespace.Layer, i int) string {
	if i >= len(all) {
		return "none"
	}
	text := fmt.Sprintf("%d with %d states", all[i].Layer, all[i].States)
	if all[i].Orbits > 0 {
		text += fmt.Sprintf(", %d up to symmetry", all[i].Orbits)
	}
	return text
}

// formatGoal describes the nearest goals in a few words.
func formatGoal(g *layers.Goal) string {
	if g == nil {
		return "none"
	}
	return fmt.Sprintf("%d, such as number %d, at distance %d, with %v shortest paths", g.Count, g.Nearest[0], g.Distance, g.Solutions)
}

// distances proves a file of a space without layers by a second search. Measured says that the file keeps distances,
// and whole that it keeps them whole.
func (v *verification) distances(measured, whole bool) error {
	if v.f.Store().Lists {
		prove := func() error { return v.f.ProveCodes(v.ctx, nil, -1, v.threads, v.progress) }
		if m := v.f.Meta(); m.Goal != nil && v.sp.Parts().Goals.Ends {
			prove = func() error { return v.f.ProveLevels(v.ctx, m.Goal.Distance) }
		}
		if err := prove(); err != nil {
			return err
		}
	}
	memory, marks, err := newMarks(v.ctx, v.sp, v.threads)
	if err != nil {
		return err
	}
	defer memory.Free()
	found, depths, err := bfs.SearchProof(v.ctx, v.sp, marks, whole, v.threads, v.progress)
	if err != nil {
		return err
	}
	if depths != nil {
		defer depths.Free()
	}
	want := bfs.NewMembers(marks, depths).Distances()
	if measured {
		if err := v.planes(marks, depths, want.At, whole); err != nil {
			return err
		}
		return v.metadata(found, want, nil)
	}
	set, free, err := layers.LoadSet(v.ctx, v.f.Members(), v.threads)
	if err != nil {
		return err
	}
	defer free()
	for i, word := range set.Words() {
		if diff := word ^ marks.NotZero(uint64(i)); diff != 0 {
			return v.member(64*uint64(i)+uint64(bits.TrailingZeros64(diff)), word&diff&-diff != 0)
		}
	}
	return v.metadata(found, want, set)
}

// member says that a number is one of the members by mistake, or is none of them by mistake.
func (v *verification) member(x uint64, is bool) error {
	if is {
		return v.wrongState(x, "is a member that cannot be reached")
	}
	return v.wrongState(x, "can be reached, and is no member")
}

// planes compares the entries of all numbers with what was found: marks, or whole distances.
func (v *verification) planes(marks *bitset.Planes, depths *bfs.Depths, want func(x uint64) (uint16, error), whole bool) error {
	said, err := v.f.Planes()
	if err != nil {
		return err
	}
	for i := range bitset.Words(v.sp.Size()) {
		diff := uint64(0)
		for bit, word := range said.Group(i)[:said.Width()] {
			switch {
			case !whole:
				word ^= marks.Group(i)[bit]
			case bit < depths.Width():
				word ^= depths.Plane(bit)[i]
			}
			diff |= word
		}
		if diff == 0 {
			continue
		}
		x := 64*i + uint64(bits.TrailingZeros64(diff))
		entry, _ := want(x) // in memory
		if is := said.Get(x); is == 0 || entry == 0 {
			return v.member(x, is != 0)
		}
		return v.wrong("the entry of number %d, %s, should be %d, and is %d", x, v.sp.Format(x), entry, said.Get(x))
	}
	return nil
}

// whole proves whole distances of a list, or with values, without a search. It counts them.
func (v *verification) whole(said bfs.Distances) error {
	last := -1
	if m := v.f.Meta(); m.Goal != nil && v.sp.Parts().Goals.Ends {
		last = m.Goal.Distance
	}
	if v.f.Store().Lists {
		if err := v.f.ProveCodes(v.ctx, said.At, last, v.threads, v.progress); err != nil {
			return err
		}
		return v.counted(said)
	}
	values, ok := v.f.Values()
	if !ok {
		return v.wrong("it should keep %d numbers of each state, and keeps none", len(v.sp.Parts().Values.Columns))
	}
	if x, found, err := v.f.ValuesElsewhere(); err != nil || found {
		return cmp.Or(err, v.wrong("number %d is no member, and it keeps numbers of it", x))
	}
	x, wrong, err := bfs.CertifyValues(v.ctx, v.sp, said.At, values.Get, last, v.threads, v.progress)
	if err != nil {
		return err
	}
	if wrong {
		return v.wrong("the distance of number %d, %s, or another number that is kept, does not agree with those of its neighbours", x, v.sp.Format(x))
	}
	return v.counted(said)
}

// counted counts whole distances, which are proved.
func (v *verification) counted(said bfs.Distances) error {
	found, goals := new(bfs.Result), v.sp.Parts().Goals
	for x := range v.sp.Size() {
		if x%(1<<16) == 0 && v.ctx.Err() != nil {
			return context.Cause(v.ctx)
		}
		e, err := said.At(x)
		if err != nil {
			return err
		}
		if e == 0 {
			continue
		}
		distance := int(e) - 1
		for len(found.Layers) <= distance {
			found.Layers = append(found.Layers, 0)
		}
		found.Layers[distance]++
		if (len(found.Goals) == 0 || distance <= found.Length) && goals.Has(x) {
			if distance < found.Length {
				found.Goals = nil
			}
			found.Goals, found.Length = append(found.Goals, x), distance
		}
	}
	return v.metadata(found, said, nil)
}

// metadata proves what the file says of its layers and goals, and the rest.
func (v *verification) metadata(found *bfs.Result, distances bfs.Distances, set *bitset.Set) error {
	var get getValues
	if values, ok := v.f.Values(); ok {
		get = values.Get
	}
	want, err := DescribeSearch(v.ctx, v.sp, found, distances, get, v.threads)
	if err != nil {
		return err
	}
	return v.rest(want, set)
}
