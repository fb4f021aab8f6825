package answer

import (
	"fmt"

	"pagoda/internal/cli"
	"pagoda/layers"
	"pagoda/statespace"
)

// An Info is what a file says of itself.
type Info struct {
	File          string                `json:"file"`
	FileBytes     uint64                `json:"file_bytes"`
	FormatVersion int                   `json:"format_version"`
	Space         string                `json:"space"`
	Definition    statespace.Definition `json:"definition"`
	Start         string                `json:"start"`
	Store         string                `json:"store"`
	Size          uint64                `json:"size"`
	States        uint64                `json:"states"`
	BytesPerState float64               `json:"bytes_per_state"`
	Layers        cli.Layers            `json:"layers"`
	Checkpoint    *layers.Checkpoint    `json:"checkpoint,omitempty"`
}

// NewInfo tells of a file of states or a checkpoint.
func NewInfo(f *layers.File) Info {
	m, sp := f.Meta(), f.Space()
	return Info{f.Path(), f.Size(), layers.Version, sp.Name(), m.Space, sp.Format(sp.Roots()[0]),
		m.Store, m.Size, m.States, float64(f.Size()) / float64(max(1, m.States)), cli.LayersOf(m), m.Checkpoint}
}

// AboutStore tells how a store keeps the states.
func AboutStore(m *layers.Meta) string {
	store, err := layers.FindStore(m.Store)
	if err != nil {
		return "unknown here"
	}
	about := store.About
	if m.PointerBits > 0 {
		about += fmt.Sprintf(", in %d bits", m.PointerBits)
	}
	if m.PatternBits > 0 {
		about += fmt.Sprintf(" for each of %s patterns", cli.Comma(1<<m.PatternBits))
	}
	if m.Symmetries > 1 {
		about += fmt.Sprintf(", by %d symmetries", m.Symmetries)
	}
	return about
}
