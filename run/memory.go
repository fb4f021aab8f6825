package run

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"pagoda/bitset"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
	"pagoda/statespace/sparse"
)

// A MemoryError says that something takes more memory than it may.
type MemoryError = statespace.MemoryError

// comma writes a number in groups of three digits.
func comma(n uint64) string {
	if n > 1<<62 {
		return fmt.Sprint(n)
	}
	return humanize.Comma(int64(n))
}

// program is about what a program takes by itself.
const program = 16 << 20

// leastSparse is what the engine sparse needs at least. Beside a file, it makes do with the memory
// that it may take, whatever it finds. Without one, the states are in memory.
func (j *job) leastSparse() uint64 {
	if j.Output == "" && j.Checkpoint == "" {
		return 64 << 20
	}
	return sparse.Least(sparse.Of(j.sp).Graph().Words, j.Threads) / 7 * 8
}

// setBytes returns the bytes of a set of all numbers.
func setBytes(sp statespace.Space) uint64 { return 8 * bitset.Words(sp.Size()) }

// depthBytes is about what whole distances take, if none is greater than 254, and what is kept with
// them.
func depthBytes(sp statespace.Space) uint64 {
	return 8*bitset.PlaneWords(sp.Size(), 8) + bfs.ValueBytes(sp)
}

// need returns about how many bytes the run takes, and what most of them are for.
func (j *job) need() (bytes uint64, most string) {
	sp, file := j.sp, j.Output != ""
	of := func(bytes uint64, format string, args ...any) string {
		return humanize.IBytes(bytes) + " of it for " + fmt.Sprintf(format, args...)
	}
	unfolds := true // a store made from a set needs one besides what was found
	switch blocks := j.engine.blocks(); {
	case blocks != nil && j.packs():
		bytes = j.packedNeed()
		most = of(bytes, "%s of %s blocks, packed", comma(blocks.Window), comma(blocks.Representatives))
		bytes += j.besidePacked()
	case blocks != nil:
		bytes = j.slots() << blocks.Bits / 8
		most = of(bytes, "%s of %s blocks", comma(j.slots()), comma(blocks.Representatives))
		bytes += j.besideBlocks()
	case j.engine.own != nil:
		bytes, unfolds = setBytes(sp), false
		most = of(bytes, "one bit for each of %s numbers", comma(sp.Size()))
		bytes += j.engine.own.Memory
	case j.engine.name == NumbersEngine:
		g := j.graph()
		bytes = bfs.MemoryOf(g)
		if j.wholeDistances() {
			bytes += depthBytes(sp)
		}
		most = of(bytes, "the distances of %s numbers", comma(sp.Size()))
		if j.levelsOnly(g) {
			bytes = bfs.MemoryOfLevels(g)
			most = of(bytes, "two levels of %s numbers", comma(sp.Size()))
		}
		if isLayered(sp) {
			bytes, unfolds = bytes+setBytes(sp), false
		}
	case j.engine.name == ChanceEngine:
		states := 0.0
		bytes, states = j.chanceNeed()
		unfolds = false
		most = of(bytes, "the largest layers of about %s states", comma(uint64(min(states, 1e18))))
	case j.engine.name == SparseEngine:
		bytes, unfolds = j.leastSparse(), false
		most = of(bytes, "lists of the states")
	default:
		// The plain search lists the states of two layers, 8 bytes each, in slices that are
		// copied as they grow. On 5x7 this was 3.3 bytes for each number.
		bytes = SetBytes(sp) + 4*sp.Size()
		if j.wholeDistances() {
			bytes += depthBytes(sp)
		}
		most = of(bytes, "%s numbers", comma(sp.Size()))
		unfolds = !isLayered(sp)
	}
	if file && j.store.NeedsSet && unfolds {
		bytes += setBytes(sp)
	}
	if file && !j.writtenAsFound() && !j.store.Lists {
		bytes += j.store.Memory(sp)
	}
	return bytes + program, most
}

// wholeDistances reports whether the engine finds whole distances: see bfs.FindsWhole; and those of
// another space if the store keeps them.
func (j *job) wholeDistances() bool {
	if isLayered(j.sp) {
		return false
	}
	return bfs.FindsWhole(j.sp) || j.Output != "" && j.store.WholeDistances && j.engine.name == NumbersEngine
}

// graph returns the graph that a search goes through. Without layers the search finds distances;
// with layers it needs none, and the marks are enough.
func (j *job) graph() statespace.Graph {
	g := bfs.Of(j.sp)
	if isLayered(j.sp) {
		g.Undirected, g.HasGoals = true, false
	}
	if j.wholeDistances() {
		g.NewStepper = nil
	}
	return g
}

// writtenAsFound reports whether the store keeps the distances that the engine finds.
func (j *job) writtenAsFound() bool {
	return j.store.KeepsDistances && j.store.WholeDistances == j.wholeDistances()
}

// checkMemory refuses a run that needs more memory than it may take.
func (j *job) checkMemory() error {
	need, most := j.need()
	if allowed := MemoryLimit(j.Memory); need > allowed {
		return &MemoryError{Name: j.sp.Name(), Need: need, Most: most, Allowed: allowed, Instead: j.instead(allowed)}
	}
	return nil
}

// instead names an engine and a store with which a run takes no more than is allowed: the same
// store or engine if possible. It is empty if there are none, or the run goes on from a
// checkpoint.
func (j *job) instead(allowed uint64) string {
	if j.from != nil {
		return ""
	}
	if j.engine.name == ChanceEngine {
		return j.lessWorth(allowed)
	}
	if other := *j; j.Scratch == "" && j.packs() {
		other.Scratch = "."
		if need, _ := other.need(); need <= allowed {
			return "name a scratch directory (" + statespace.EnoughBytes(need) + ")"
		}
	}
	stores := []layers.Store{j.store}
	if j.Output != "" {
		if best, err := findStore(j.sp, ""); err == nil {
			stores = append(stores, best)
		}
		stores = append(stores, layers.Stores...)
	}
	for _, store := range stores {
		for _, e := range engines(j.sp) {
			other := *j
			other.engine, other.store = e, store
			if store.Fits(j.sp) != nil || !e.makes(store) || e.name == SparseEngine && isValued(j.sp) {
				continue // a list of states has no values
			}
			if need, _ := other.need(); need <= allowed {
				text := "use the engine " + e.name
				if j.Output != "" {
					text += " and the store " + store.Name
				}
				return text + " (" + statespace.EnoughBytes(need) + ")"
			}
		}
	}
	return ""
}
