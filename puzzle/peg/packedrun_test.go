package peg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/puzzle/peg/pegtest"
	"pagoda/statespace"
	"pagoda/statespace/sweep"
)

// plainRun returns the blocks and the layers of a BlockRun.
func plainRun(t *testing.T, sp statespace.Space) (made [][]uint64, layers []statespace.Layer) {
	blocks := sweep.BlocksOf(sp)
	r, err := sweep.NewBlockRun(sp, make([]uint64, blocks.Window<<(blocks.Bits-6)), func(words []uint64) error {
		made = append(made, slices.Clone(words))
		return nil
	})
	if err == nil {
		err = r.Run(t.Context(), nil, 2, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made, r.Layers()
}

// A packedTest compares runs with the plain one.
type packedTest struct {
	sp     statespace.Space
	blocks *statespace.SweepBlocks
	made   [][]uint64
	layers []statespace.Layer
	next   int // the block that the sink gets next
}

func newPackedTest(t *testing.T, name string) *packedTest {
	sp := pegtest.Lookup(t, name)
	p := &packedTest{sp: sp, blocks: sweep.BlocksOf(sp)}
	p.made, p.layers = plainRun(t, sp)
	return p
}

func (p *packedTest) begin(t *testing.T, memory uint64, scratch string, threads int) *sweep.PackedRun {
	t.Helper()
	r, err := sweep.NewPackedRun(t.Context(), p.sp, sweep.PackedOptions{Memory: memory, Scratch: scratch, Threads: threads}, func(words []uint64) error {
		if p.next >= len(p.made) || !slices.Equal(words, p.made[p.next]) {
			return fmt.Errorf("block %d differs", p.next)
		}
		p.next++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func (p *packedTest) ended(t *testing.T, r *sweep.PackedRun) {
	t.Helper()
	if p.next != len(p.made) || !slices.Equal(r.Layers(), p.layers) || r.Blocks() != p.blocks.Representatives {
		t.Errorf("of %d blocks %d are made, %d handed on; the layers are %v, expected %v", len(p.made), r.Blocks(), p.next, r.Layers(), p.layers)
	}
	p.next = 0
}

// A packed run makes what the plain run makes, in any memory, with and without a scratch file, on any
// number of threads.
func TestPackedRun(t *testing.T) {
	names := []string{"peg/4x7"}
	if long.Tests {
		names = append(names, "peg/5x6", "peg/english")
	}
	for _, name := range names {
		p := newPackedTest(t, name)
		window := p.blocks.Window << p.blocks.Bits / 8
		for _, threads := range []int{1, 3} {
			least := sweep.LeastPacked(p.blocks, threads)
			for _, memory := range []uint64{least, least + window/8, least + window} {
				for _, scratch := range []string{"", t.TempDir()} {
					if scratch == "" && memory < least+window || name == "peg/english" && (threads == 1 || memory != least+window/8) {
						continue
					}
					r := p.begin(t, memory, scratch, threads)
					var progress statespace.Progress
					if err := r.Run(t.Context(), nil, threads, &progress); err != nil {
						t.Fatalf("%s, %d bytes, %d threads: %v", name, memory, threads, err)
					}
					if done, total := progress.Read(); done != total || done == 0 {
						t.Errorf("the progress is %d of %d", done, total)
					}
					p.ended(t, r)
					s := r.Stats()
					t.Logf("%s, %d bytes, %q, %d threads: %+v", name, memory, scratch, threads, s)
					if scratch != "" && memory == least && s.Spilled == 0 && s.Most > memory {
						t.Errorf("nothing is in the scratch file: %+v", s)
					}
				}
			}
		}
		if _, err := sweep.NewPackedRun(t.Context(), p.sp, sweep.PackedOptions{Memory: sweep.LeastPacked(p.blocks, 2) / 2, Threads: 2}, nil); !errors.Is(err, sweep.ErrRoom) {
			t.Errorf("there is too little memory: %v", err)
		}
	}
}

// A run fits into the memory of LeastPacked with any number of threads.
func TestPackedRunThreads(t *testing.T) {
	p := newPackedTest(t, "peg/5x6")
	for _, threads := range []int{1, 2, 7, 16, 64} {
		r := p.begin(t, sweep.LeastPacked(p.blocks, threads), t.TempDir(), threads)
		if err := r.Run(t.Context(), nil, threads, nil); err != nil {
			t.Fatalf("%d threads: %v", threads, err)
		}
		p.ended(t, r)
	}
}

// A packed run goes on after it was stopped anywhere: itself, or another one from what it has saved
// or from the blocks of a file, with another amount of memory.
func TestPackedRunStops(t *testing.T) {
	p := newPackedTest(t, "peg/5x6")
	least, stages := sweep.LeastPacked(p.blocks, 3), p.blocks.Feeds().Stages()
	stop := errors.New("stop")
	seeds := uint64(8)
	if !long.Tests {
		seeds = 4
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		memory := func() uint64 { return least + rng.Uint64N(1<<20) }
		scratch := t.TempDir()
		r := p.begin(t, memory(), scratch, 3)
		ctx, cancel := context.WithCancelCause(t.Context())
		at := 1 + rng.IntN(stages-1)
		err := r.Run(ctx, func(done int) error {
			if done == at {
				if seed%2 == 0 {
					return stop
				}
				cancel(stop)
			}
			return nil
		}, 1+rng.IntN(3), nil)
		if !errors.Is(err, stop) {
			t.Fatalf("stopped after %d stages, it ends with %v", at, err)
		}
		if seed%4 == 3 {
			if err := r.Run(t.Context(), nil, 1+rng.IntN(3), nil); err != nil {
				t.Fatal(err)
			}
			p.ended(t, r)
			continue
		}
		if err := r.HandOn(); err != nil || uint64(p.next) != r.Blocks() {
			t.Fatalf("%d of %d blocks are handed on: %v", p.next, r.Blocks(), err)
		}
		var saved bytes.Buffer
		if err := r.Save(func(data []byte) error { saved.Write(data); return nil }); err != nil {
			t.Fatal(err)
		}
		other := p.begin(t, memory(), scratch, 3)
		if other.Plan() != r.Plan() {
			t.Error("another amount of memory makes another plan")
		}
		if seed%4 == 0 {
			err = other.Restore(r.Done(), r.Layers(), func(i uint64, words []uint64) error {
				copy(words, p.made[i])
				return nil
			})
		} else {
			bad := bytes.Clone(saved.Bytes())
			bad = bad[:rng.IntN(len(bad))]
			if err := p.begin(t, memory(), scratch, 3).RestorePacked(r.Done(), r.Layers(), bad); err == nil {
				t.Error("what is saved can lack its end")
			}
			err = other.RestorePacked(r.Done(), r.Layers(), saved.Bytes())
		}
		if err == nil {
			err = other.Run(t.Context(), nil, 1+rng.IntN(3), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		p.ended(t, other)
	}
}

// A scratch file that cannot be written, or is damaged, ends a run. When there is space again, the
// run goes on.
func TestPackedRunScratch(t *testing.T) {
	p := newPackedTest(t, "peg/5x6")
	least := sweep.LeastPacked(p.blocks, 2)
	var mu sync.Mutex
	writes, full := 0, 3
	undo := failpoint.Inject(func(op, path string) error {
		mu.Lock()
		defer mu.Unlock()
		if op != "write" || !strings.HasSuffix(path, ".scratch") {
			return nil
		}
		if writes++; writes > full {
			return syscall.ENOSPC
		}
		return nil
	})
	defer undo()
	r := p.begin(t, least, t.TempDir(), 2)
	err := r.Run(t.Context(), nil, 2, nil)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), ".scratch") {
		t.Fatalf("a full disk became %v after %d writes", err, writes)
	}
	if err := r.HandOn(); err != nil {
		t.Errorf("the blocks of a run whose scratch is full are not handed on: %v", err)
	}
	var saved bytes.Buffer
	if err := r.Save(func(data []byte) error { saved.Write(data); return nil }); err != nil {
		t.Errorf("a run whose scratch is full cannot be saved: %v", err)
	}
	full = 1 << 30
	if err := r.Run(t.Context(), nil, 2, nil); err != nil {
		t.Fatal(err)
	}
	p.ended(t, r)
	undo()
	r.Close()

	r = p.begin(t, least, t.TempDir(), 2)
	damaged := false
	err = r.Run(t.Context(), func(int) error {
		if !damaged && r.Stats().Spilled > 20<<10 {
			damaged = damageScratch(t)
		}
		return nil
	}, 2, nil)
	if (damaged || runtime.GOOS == "linux") && (err == nil || !strings.Contains(err.Error(), ".scratch is damaged: the checksum of its bytes")) {
		t.Errorf("a damaged scratch file became %v", err)
	}
}

// damageScratch changes all of the scratch file of this process, if it can find it.
func damageScratch(t *testing.T) bool {
	files, _ := os.ReadDir("/proc/self/fd")
	for _, f := range files {
		path := "/proc/self/fd/" + f.Name()
		if name, _ := os.Readlink(path); !strings.Contains(name, ".scratch") || !strings.Contains(name, t.Name()) {
			continue
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		defer file.Close()
		data := make([]byte, 1<<20)
		n, _ := file.ReadAt(data, 0)
		for i := range data[:n] {
			data[i] ^= 1
		}
		if _, err := file.WriteAt(data[:n], 0); err == nil && n > 0 {
			return true
		}
	}
	return false
}
