package spacetest

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/statespace"
	"pagoda/statespace/internal/toys"
	"pagoda/statespace/sweep"
)

// swept returns a space with kernels that are changed.
func swept(sp statespace.Space, change func(k *statespace.Sweep)) *toys.Swept {
	s := toys.NewSwept(sp)
	change(s.Kernels)
	return s
}

func TestBrokenKernels(t *testing.T) {
	count, pairs := toys.Countdown{Start: 63}, toys.Pairs{N: 8}
	engines := func(change func(all []statespace.SweepEngine) []statespace.SweepEngine) func(k *statespace.Sweep) {
		return func(k *statespace.Sweep) {
			plain := k.Engines
			k.Engines = func() []statespace.SweepEngine { return change(plain()) }
		}
	}
	fill := func(after func(set *bitset.Set)) func(k *statespace.Sweep) {
		return engines(func(all []statespace.SweepEngine) []statespace.SweepEngine {
			plain := all[0].Fill
			all[0].Fill = func(set *bitset.Set) statespace.Work { return afterWork{plain(set), func() { after(set) }} }
			return all
		})
	}
	pointers := func(change func(p *statespace.Pointers)) func(k *statespace.Sweep) {
		return func(k *statespace.Sweep) {
			p := *k.Pointers
			change(&p)
			k.Pointers = &p
		}
	}
	patterns := func(change func(p *statespace.Patterns)) func(k *statespace.Sweep) {
		return func(k *statespace.Sweep) { change(k.Patterns) }
	}
	for _, b := range []breach{
		{"forgotten state", swept(count, fill(func(set *bitset.Set) { set.Flip(3) })), lawEngines},
		{"state too many", swept(count, fill(func(set *bitset.Set) { set.Add(62) })), lawEngines},
		{"engine without a name", swept(count, engines(func(all []statespace.SweepEngine) []statespace.SweepEngine { all[0].Name = ""; return all })), lawEngine},
		{"two engines of a name", swept(count, engines(func(all []statespace.SweepEngine) []statespace.SweepEngine { return append(all, all[0]) })), lawEngine},
		{"kernel that is not used", swept(count, engines(func(all []statespace.SweepEngine) []statespace.SweepEngine {
			all[0].Kernels, all[0].UseKernel = []string{"fast"}, func(string) error { return nil }
			return all
		})), lawEngine},
		{"kernel that is refused", swept(count, engines(func(all []statespace.SweepEngine) []statespace.SweepEngine {
			all[0].Kernels, all[0].UseKernel = []string{"fast"}, func(string) error { return errors.New("no") }
			return all
		})), lawEngine},
		{"count", swept(count, func(k *statespace.Sweep) {
			k.Count = func(*bitset.Set) statespace.Counting { return nothing{} }
		}), lawCount},
		{"certificate of every set", swept(count, func(k *statespace.Sweep) {
			k.Certify = func(*bitset.Set) statespace.Certification { return nothing{} }
		}), lawCertificate},
		{"nothing between", swept(count, func(k *statespace.Sweep) {
			k.Between = func(_ context.Context, _ []int, _ bitset.Reader, to index, set *bitset.Set, _ int, _ *statespace.Progress) error {
				set.Add(to)
				return nil
			}
		}), lawBetween},
		{"no paths", swept(count, func(k *statespace.Sweep) {
			k.Ways = func(_ context.Context, q statespace.WaysQuestion) (*statespace.Ways, error) {
				w := new(statespace.Ways)
				for range q.To {
					w.To = append(w.To, new(big.Int))
				}
				return w, nil
			}
		}), lawWays},
		{"places beyond 64", swept(count, func(k *statespace.Sweep) { k.Places = func(int) (from, to int) { return 1, 64 } }), lawPlaces},
		{"place that stays", swept(count, func(k *statespace.Sweep) { k.Places = func(int) (from, to int) { return 1, 1 } }), lawPlaces},

		{"places that stay under symmetries", swept(pairs, func(k *statespace.Sweep) {
			k.Places = func(move int) (from, to int) { return 2 * move, 2*move + 1 }
			k.PlaceImage = func(_, place int) int { return place + 1 }
		}), lawImages},
		{"pointer to another state", swept(count, pointers(func(p *statespace.Pointers) {
			p.Follow = func(x index, pointer uint16) (edge, bool) { return edge{To: min(x+4, 63)}, pointer == 2 }
		})), lawPointers},
		{"pointer that is not the least", swept(count, pointers(func(p *statespace.Pointers) {
			plain := *p
			p.Point = func(set *bitset.Set, planes *bitset.Planes) statespace.Work {
				return afterWork{one{}, func() {
					if err := sweep.FillPointersPlain(t.Context(), &plain, count, set, planes, 1); err != nil {
						t.Error(err)
					}
					planes.Set(21, 3) // from 63, not from 23
				}}
			}
		})), lawPointers},
		{"pointers that are not filled", swept(count, pointers(func(p *statespace.Pointers) {
			p.Point = func(*bitset.Set, *bitset.Planes) statespace.Work { return one{} }
		})), lawPointers},

		{"pattern of more bits", swept(count, patterns(func(p *statespace.Patterns) { p.Bits-- })), lawNumbered},
		{"pattern without a number", swept(count, patterns(func(p *statespace.Patterns) {
			p.Numbered = func(dst []statespace.NumberedPattern, _ uint64) []statespace.NumberedPattern { return dst }
		})), lawNumbered},
		{"pattern with another number", swept(count, patterns(func(p *statespace.Patterns) {
			plain := p.Numbered
			p.Numbered = func(dst []statespace.NumberedPattern, word uint64) []statespace.NumberedPattern {
				dst = plain(dst, word)
				dst[0].Bit++
				return dst
			}
		})), lawNumbered},
		{"bit twice", swept(pairs, func(k *statespace.Sweep) { k.BitOrder = func() bitset.Order { return make(bitset.Order, 12) } }), lawBitOrder},
		{"too few bits", swept(pairs, func(k *statespace.Sweep) { k.BitOrder = func() bitset.Order { return bitset.PlainOrder(11) } }), lawBitOrder},
	} {
		b.check(t, 100)
	}
	kernel := ""
	Test(t, swept(count, engines(func(all []statespace.SweepEngine) []statespace.SweepEngine {
		all[0].Kernels, all[0].Kernel, all[0].UseKernel = []string{"fast", "slow"}, kernel, func(name string) error { kernel = name; return nil }
		return all
	})), 50)
	if kernel != "fast" {
		t.Errorf("the kernel %q stays in use, want the best", kernel)
	}
}

// blocked returns a space that is made block by block, with changes.
func blocked(change func(k *statespace.Sweep)) *toys.Swept {
	sp := NewPlainStreamer(toys.Pairs{N: 5})
	k := *sp.Parts().Sweep
	change(&k)
	return &toys.Swept{Space: sp, Kernels: &k}
}

func TestBrokenBlocks(t *testing.T) {
	blocks := func(change func(b *statespace.SweepBlocks)) *toys.Swept {
		return blocked(func(k *statespace.Sweep) {
			b := *k.Blocks()
			change(&b)
			k.Blocks = func() *statespace.SweepBlocks { return &b }
		})
	}
	stream := func(change func(s statespace.Stream) statespace.Stream) *toys.Swept {
		return blocks(func(b *statespace.SweepBlocks) {
			plain := b.Stream
			b.Stream = func(memory []uint64) statespace.Stream { return change(plain(memory)) }
		})
	}
	feeds := func(change func(f statespace.Feeds) statespace.Feeds) *toys.Swept {
		return blocks(func(b *statespace.SweepBlocks) {
			plain := b.Feeds
			b.Feeds = func() statespace.Feeds { return change(plain()) }
		})
	}
	for _, b := range []breach{
		{"other number of blocks", blocks(func(b *statespace.SweepBlocks) { b.Representatives++ }), lawBlocks},
		{"other block", blocks(func(b *statespace.SweepBlocks) {
			plain := b.Folding
			b.Folding = func() *statespace.Folding {
				f := *plain()
				f.Order = slices.Clone(f.Order)
				f.Order[3], f.Order[4] = f.Order[4], f.Order[3]
				return &f
			}
		}), lawBlocks},
		{"forgotten state", stream(func(s statespace.Stream) statespace.Stream { return forgetfulStream{s, true} }), lawBlocks},
		{"other layers", stream(func(s statespace.Stream) statespace.Stream { return forgetfulStream{s, false} }), lawBlocks},
		{"source of a later stage", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "later"} }), lawFeeds},
		{"source without the target", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "target"} }), lawFeeds},
		{"source that is not listed", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "source"} }), lawFeeds},
		{"block that is not made", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "idle"} }), lawFeeds},
		{"layers of a block", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "layers"} }), lawFeeds},
		{"block too many", feeds(func(f statespace.Feeds) statespace.Feeds { return otherFeeds{f, "begin"} }), lawFeeds},
		{"certificate of every folded set", blocked(func(k *statespace.Sweep) {
			k.CertifyFolded = func(statespace.FoldedSet, []uint32) statespace.Certification { return nothing{} }
		}), lawFolded},
		{"certificate of no folded set", blocked(func(k *statespace.Sweep) {
			k.CertifyFolded = func(statespace.FoldedSet, []uint32) statespace.Certification { return faulty{} }
		}), lawFolded},
		{"count of a folded set", blocked(func(k *statespace.Sweep) {
			k.CountFolded = func(statespace.FoldedSet, []uint32) statespace.Counting { return nothing{} }
		}), lawFolded},
	} {
		b.check(t, 20)
	}
	for _, n := range []uint64{2, 3, 9} {
		TestBlocks(t, NewPlainStreamer(toys.Pairs{N: n}))
	}
}

// forgetfulStream is a Stream that forgets a state of each block, or its layers.
type forgetfulStream struct {
	statespace.Stream
	states bool
}

func (f forgetfulStream) NewWorker() statespace.Worker { return f }

func (f forgetfulStream) Do(stage, task int) {
	f.Stream.NewWorker().Do(stage, task)
	if f.states {
		words := f.Words(f.Begin(stage) + uint64(task))
		words[0] &= words[0] - 1
	}
}

func (f forgetfulStream) Layers() []statespace.Layer {
	layers := f.Stream.Layers()
	if f.states || len(layers) == 0 {
		return layers
	}
	return layers[1:]
}

// otherFeeds is a Feeds with a fault.
type otherFeeds struct {
	statespace.Feeds
	fault string
}

func (f otherFeeds) Begin(stage int) uint64 {
	begin := f.Feeds.Begin(stage)
	if f.fault == "begin" && stage == f.Stages() {
		begin++
	}
	return begin
}

func (f otherFeeds) Sources(dst []uint64, i uint64) []uint64 {
	n := len(dst)
	dst = f.Feeds.Sources(dst, i)
	switch {
	case f.fault == "later":
		return append(dst, i)
	case f.fault == "source" && len(dst) > n:
		return dst[:len(dst)-1]
	}
	return dst
}

func (f otherFeeds) Targets(dst []uint64, i uint64) []uint64 {
	switch f.fault {
	case "target":
		return dst
	case "source":
		for to := range f.Begin(f.Stages()) {
			if slices.Contains(f.Sources(nil, to), i) {
				dst = append(dst, to)
			}
		}
		return dst
	}
	return f.Feeds.Targets(dst, i)
}

func (f otherFeeds) NewMaker() statespace.Maker { return otherMaker{f.Feeds.NewMaker(), f.fault} }

// otherMaker is the Maker of an otherFeeds.
type otherMaker struct {
	statespace.Maker
	fault string
}

func (m otherMaker) Make(blocks []uint64, words func(i uint64) []uint64) ([]statespace.Layer, error) {
	if m.fault == "idle" {
		return nil, nil
	}
	layers, err := m.Maker.Make(blocks, words)
	if m.fault == "layers" {
		layers = layers[1:]
	}
	return layers, err
}

// one is work of one task.
type one struct{}

func (one) Stages() int                    { return 1 }
func (one) Tasks(int) int                  { return 1 }
func (o one) NewWorker() statespace.Worker { return o }
func (one) Do(int, int)                    {}

// nothing is a kernel that finds nothing.
type nothing struct{ one }

func (nothing) Faults() statespace.Faults  { return statespace.Faults{} }
func (nothing) Layers() []statespace.Layer { return nil }

// faulty is a kernel that finds a fault.
type faulty struct{ one }

func (faulty) Faults() statespace.Faults { return statespace.Faults{Count: 1} }

// afterWork is work that does something after its last stage.
type afterWork struct {
	statespace.Work
	after func()
}

func (a afterWork) NewWorker() statespace.Worker { return afterWorker{a, a.Work.NewWorker()} }

type afterWorker struct {
	afterWork
	worker statespace.Worker
}

func (a afterWorker) Do(stage, task int) {
	if a.worker.Do(stage, task); stage == a.Stages()-1 && task == a.Tasks(stage)-1 {
		a.after()
	}
}
