package peg

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomWords makes words of which about one in 2^sparse bits is set.
func randomWords(rng *rand.Rand, n, sparse int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = rng.Uint64()
		for range sparse {
			words[i] &= rng.Uint64()
		}
	}
	return words
}

// vectors calls test for each kernel with vectors.
func vectors(t *testing.T, test func(t *testing.T, k *kernel, rng *rand.Rand)) {
	have := vectorKernels()
	if len(have) == 0 {
		t.Skip("this processor, or this build, has no kernels with vectors")
	}
	for _, k := range have {
		t.Run(k.name, func(t *testing.T) { test(t, k, rand.New(rand.NewPCG(5, 12))) })
	}
}

// Pulling by vectors does what it does word by word, and nothing beyond the block.
func TestVectorPull(t *testing.T) {
	vectors(t, func(t *testing.T, k *kernel, rng *rand.Rand) {
		for words := vectorWords; words <= 1<<(maxBlockBits-6); words *= 2 {
			for range 100 {
				p := vectorPart{turn: rng.Uint64N(64), flip: rng.Uint64N(uint64(words))}
				copy(p.masks[:], randomWords(rng, vectorWords, rng.IntN(3)))
				for at := 0; at < words; at += vectorWords {
					if rng.IntN(3) > 0 {
						p.at = append(p.at, uint16(at))
					}
				}
				to, from := randomWords(rng, words+vectorWords, rng.IntN(4)), randomWords(rng, words, rng.IntN(4))
				want := slices.Clone(to)
				p.pull(want, from)
				k.pull(to[:words], from, &p)
				if !slices.Equal(to, want) {
					t.Fatalf("%d words, %d vectors, turn %d, flip %d: the block differs", words, len(p.at), p.turn, p.flip)
				}
			}
		}
	})
}

// randomProgram makes a program of any runs: empty ones, of pulls or steps alone, and
// with words that are pulled from before and after they change.
func randomProgram(rng *rand.Rand, words int) *program {
	p := new(program)
	for range rng.IntN(40) {
		p.steps = append(p.steps, step{randomWords(rng, 1, rng.IntN(4))[0], rng.IntN(64)})
	}
	for range rng.IntN(3 * words) {
		r := run{word: rng.Uint32N(uint32(words)), pulls: rng.Uint32N(5) * rng.Uint32N(2)}
		r.first = rng.Uint32N(uint32(len(p.steps) + 1))
		r.last = r.first + rng.Uint32N(uint32(len(p.steps)+1)-r.first)
		for range r.pulls {
			p.pulls = append(p.pulls, pull{randomWords(rng, 1, rng.IntN(4))[0], rng.Uint32N(64), rng.Uint32N(uint32(words))})
		}
		p.runs = append(p.runs, r)
	}
	return p
}

// Closing blocks by vectors does what the generic kernel does, with any blocks in the
// lanes, empty ones among them.
func TestVectorRun(t *testing.T) {
	vectors(t, func(t *testing.T, k *kernel, rng *rand.Rand) {
		for words := vectorWords; words <= 1<<8; words *= 2 {
			for range 50 {
				p := randomProgram(rng, words)
				got, want := make([][]uint64, k.lanes), make([][]uint64, k.lanes)
				for lane := range got {
					got[lane] = randomWords(rng, words, rng.IntN(8))
					if rng.IntN(3) == 0 {
						clear(got[lane])
					}
					want[lane] = slices.Clone(got[lane])
				}
				closeBy := func(k *kernel, blocks [][]uint64) {
					for lanes := range slices.Chunk(blocks, k.lanes) {
						scratch := make([]uint64, words*k.lanes)
						k.interleave(scratch, lanes)
						k.run(p, scratch)
						k.separate(scratch, lanes)
					}
				}
				closeBy(&genericKernel, want)
				closeBy(k, got)
				for lane := range want {
					if !slices.Equal(got[lane], want[lane]) {
						t.Fatalf("%d words, %d runs: lane %d differs", words, len(p.runs), lane)
					}
				}
			}
		}
	})
}

// Interleaving by vectors does what the plain loops do.
func TestInterleave(t *testing.T) {
	vectors(t, func(t *testing.T, k *kernel, rng *rand.Rand) {
		for words := vectorWords; words <= 1<<10; words *= 2 {
			blocks, back := make([][]uint64, k.lanes), make([][]uint64, k.lanes)
			for lane := range blocks {
				blocks[lane], back[lane] = randomWords(rng, words, 0), make([]uint64, words+1)[:words]
			}
			got, want := make([]uint64, words*k.lanes+1), make([]uint64, words*k.lanes+1)
			k.interleave(got, blocks)
			interleaveGeneric(want, blocks)
			if !slices.Equal(got, want) {
				t.Fatalf("%d words are interleaved in another way", words)
			}
			k.separate(got, back)
			for lane, words := range blocks {
				if !slices.Equal(back[lane], words) || back[lane][:len(words)+1][len(words)] != 0 {
					t.Fatalf("lane %d of %d words comes back as another", lane, len(words))
				}
			}
		}
	})
}

// Members of blocks side by side are counted as one at a time, with every kernel and any
// kinds of words.
func TestCountLanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernels() {
		for range 60 {
			const words = 64
			scratch := randomWords(rng, words*k.lanes, rng.IntN(5))
			var kinds []blockKind
			for range 1 + rng.IntN(5) {
				kind := blockKind{common: rng.IntN(10), masks: randomWords(rng, 1+rng.IntN(10), 2)}
				for range 1 + rng.IntN(40) {
					kind.words = append(kind.words, uint16(rng.IntN(words)))
				}
				kinds = append(kinds, kind)
			}
			var got, want laneCounts
			for pegs := range want {
				for lane := range k.lanes {
					got[pegs][lane] = rng.Uint64N(9)
				}
			}
			want = got
			for _, kind := range kinds {
				for _, w := range kind.words {
					for lane := range k.lanes {
						for n, mask := range kind.masks {
							for range setBits(scratch[int(w)*k.lanes+lane] & mask) {
								want[kind.common+n][lane]++
							}
						}
					}
				}
			}
			if k.count(&got, kinds, scratch); got != want {
				t.Fatalf("%s: of %d kinds, other numbers are counted", k.name, len(kinds))
			}
		}
	}
}

// Kernels are refused where they cannot run.
func TestCheckKernel(t *testing.T) {
	for i, name := range kernelNames {
		err := CheckKernel(name)
		have := i >= len(kernelNames)-len(kernels())
		if have != (err == nil) || err != nil && !strings.Contains(err.Error(), "cannot run here: this processor, or this build, has") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckKernel("avx3"); err == nil || err.Error() != `there is no kernel "avx3": there are avx512, avx2, generic` {
		t.Error(err)
	}
}
