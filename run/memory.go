package run

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"pagoda/bitset"
	"pagoda/internal/memory"
	"pagoda/layers"
	"pagoda/statespace"
	"pagoda/statespace/bfs"
)

// Program is about what a program takes by itself.
const Program = 16 << 20

// setBytes returns the bytes of a set of all numbers.
func setBytes(sp statespace.Space) uint64 { return 8 * bitset.Words(sp.Size()) }

// depthBytes is about what whole distances take, if none is greater than 254, and what is kept with
// them.
func depthBytes(sp statespace.Space) uint64 {
	return 8*bitset.PlaneWords(sp.Size(), 8) + bfs.ValueBytes(sp)
}

// of says what some bytes are for.
func of(bytes uint64, format string, args ...any) string {
	return humanize.IBytes(bytes) + " of it for " + fmt.Sprintf(format, args...)
}

// need returns about how many bytes the run takes, and what most of them are for.
func (j *job) need() (bytes uint64, most string) {
	n := j.engine.need(j)
	if j.Output != "" && j.store.NeedsSet && n.unfolds {
		n.bytes += setBytes(j.sp)
	}
	if j.Output != "" && !n.asFound && !j.store.Lists {
		n.bytes += j.store.Memory(j.sp)
	}
	return n.bytes + Program, n.most
}

// asFound reports whether the store keeps distances as an engine finds them: whole, or modulo 3.
func (j *job) asFound(whole bool) bool {
	return j.store.KeepsDistances && j.store.WholeDistances == whole
}

// checkMemory refuses a run that needs more memory than it may take.
func (j *job) checkMemory() error {
	need, most := j.need()
	if allowed := MemoryLimit(j.Memory); need > allowed {
		return &statespace.MemoryError{Name: j.sp.Name(), Need: need, Most: most, Allowed: allowed, Instead: j.instead(allowed)}
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
	if j.engine.instead != nil {
		if advice := j.engine.instead(j, allowed); advice != "" {
			return advice
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
		for _, m := range j.methods() {
			other := *j
			other.engine, other.store = m, store
			if m.kind == listing && j.many || !j.inMemory && (store.Fits(j.sp) != nil || !m.makes(store)) || m.kind == named && m.store != "" {
				continue
			}
			if need, _ := other.need(); need <= allowed {
				text := "use the engine " + m.name
				if j.Output != "" {
					text += " and the store " + store.Name
				}
				return text + " (" + memory.EnoughBytes(need) + ")"
			}
		}
	}
	if j.engine.kind == listing && j.sp.Parts().EndAt != nil {
		return "solve one of its states"
	}
	return ""
}
