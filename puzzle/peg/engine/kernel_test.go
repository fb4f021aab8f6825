package engine

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/gf2"
	"pagoda/statespace/sweep"
)

// randomWords makes words with about one in 2^(sparse+1) bits set.
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

// A pull by vectors does the same as word by word, and nothing beyond the block.
func TestVectorPull(t *testing.T) {
	vectors(t, func(t *testing.T, k *kernel, rng *rand.Rand) {
		for words := vectorWords; words <= 1<<(18-6); words *= 2 {
			for range 100 {
				p := vectorPull{turn: rng.Uint64N(64), flip: rng.Uint64N(uint64(words))}
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

// randomProgram makes a program of any updates: without pulls or steps, and with words
// that are pulled from before and after they change.
func randomProgram(rng *rand.Rand, words int) *program {
	p := new(program)
	for range rng.IntN(40) {
		p.steps = append(p.steps, step{randomWords(rng, 1, rng.IntN(4))[0], rng.IntN(64)})
	}
	for range rng.IntN(3 * words) {
		u := update{word: rng.Uint32N(uint32(words)), pulls: rng.Uint32N(5) * rng.Uint32N(2)}
		u.first = rng.Uint32N(uint32(len(p.steps) + 1))
		u.last = u.first + rng.Uint32N(uint32(len(p.steps)+1)-u.first)
		for range u.pulls {
			p.pulls = append(p.pulls, pull{randomWords(rng, 1, rng.IntN(4))[0], rng.Uint32N(64), rng.Uint32N(uint32(words))})
		}
		p.updates = append(p.updates, u)
	}
	return p
}

// Programs run by vectors close blocks as the generic kernel does, with any blocks in the
// lanes, also empty ones.
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
						k.close(p, scratch)
						k.separate(scratch, lanes)
					}
				}
				closeBy(&genericKernel, want)
				closeBy(k, got)
				for lane := range want {
					if !slices.Equal(got[lane], want[lane]) {
						t.Fatalf("%d words, %d updates: lane %d differs", words, len(p.updates), lane)
					}
				}
			}
		}
	})
}

// Vectors interleave and separate blocks as the plain loops do.
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

// Every kernel counts the members of blocks side by side, with any kinds of words, as a
// loop over single bits does.
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
							for range gf2.Elements(scratch[int(w)*k.lanes+lane] & mask) {
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

// Every kernel applies any linear map of the numbers in a block as the plain twin does,
// number by number.
func TestBlockMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 12))
	for _, k := range kernels() {
		for i := range 400 {
			dim := 6 + rng.IntN(7)
			if k != &genericKernel {
				dim = max(dim, 6+vectorBits)
			}
			columns := make([]uint64, dim)
			for i, bit := range rng.Perm(dim) {
				columns[i] = 1 << bit
			}
			// In the map of a board, most bits go to one bit.
			for range []int{rng.IntN(4), 5 * dim}[i%2] {
				if to, from := rng.IntN(dim), rng.IntN(dim); to != from {
					columns[to] ^= columns[from]
				}
			}
			zero := rng.Uint64N(1 << dim)
			words := 1 << (dim - 6)
			to, from := randomWords(rng, words+1, 3), randomWords(rng, words, rng.IntN(5))
			want := slices.Clone(to)
			plain := sweep.Plain(gf2.NewAffine(columns, zero), 1<<dim)
			for w := range words {
				want[w] |= plain.Gather(uint64(w), func(word uint64) uint64 { return from[word] })
			}
			newBlockMap(columns).collect(k, to[:words], from, randomWords(rng, max(4, words), 0), zero)
			if !slices.Equal(to, want) {
				t.Fatalf("%s: by the map %b to %b from 0, another block is collected", k.name, columns, zero)
			}
		}
	}
}

// checkKernel names the kernels that can run here, and those there are.
func TestCheckKernel(t *testing.T) {
	for i, name := range kernelNames {
		err := checkKernel(name)
		have := i >= len(kernelNames)-len(kernels())
		if have != (err == nil) || err != nil && !strings.Contains(err.Error(), "cannot run here: this processor, or this build, has") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := checkKernel("avx3"); err == nil || err.Error() != `there is no kernel "avx3": there are avx512, avx2, generic` {
		t.Error(err)
	}
}

// pull makes the jump from one block to another, as the kernels do by vectors.
func (p *vectorPull) pull(to, from []uint64) {
	for _, at := range p.at {
		for i, mask := range p.masks {
			w := uint64(at) + uint64(i)
			to[w] |= bits.RotateLeft64(from[w^p.flip], int(p.turn)) & mask
		}
	}
}
