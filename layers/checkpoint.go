package layers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"pagoda/bitset"
	"pagoda/internal/mapped"
)

// A Checkpoint says what a run was to do, and how far it had come. What its engine needs to go on is in
// State and in sections, which only the engine reads.
type Checkpoint struct {
	Engine string `json:"engine"`
	// Version says how the engine writes State and sections. Each engine counts its own, from 1.
	Version int `json:"version"`
	// Division is a checksum of how the engine divides its work into stages. Only a run with
	// the same one can go on from the checkpoint.
	Division uint32 `json:"plan"`
	Done     int    `json:"done"`            // stages, or levels of a search
	Store    string `json:"store,omitempty"` // of the output
	// Output is the path of the file, relative to the directory of the checkpoint and with
	// slashes; empty: none. Programs before 0.1.0 wrote absolute paths.
	Output    string `json:"output,omitempty"`
	Overwrite bool   `json:"overwrite,omitempty"`
	// Bounded says that the engine was chosen by the program, and ends the run when what it has
	// listed takes more than the memory that is allowed.
	Bounded bool            `json:"bounded,omitempty"`
	State   json.RawMessage `json:"state,omitempty"` // see File.State
}

// UnmarshalJSON implements json.Unmarshaler. When checkpoints had no version, all engines had their first, and
// the fields of the state were among those of the checkpoint.
func (c *Checkpoint) UnmarshalJSON(data []byte) error {
	type plain Checkpoint
	err := json.Unmarshal(data, (*plain)(c))
	if c.Version == 0 {
		c.Version, c.State = 1, bytes.Clone(data)
	}
	return err
}

// A Section is a part of a checkpoint.
type Section struct {
	Name  string // at most 16 bytes
	Bytes uint64 // about how many it has: disk space is taken for them beforehand
	// Write calls write with the bytes, piece by piece.
	Write func(write func([]byte) error) error
}

// SectionOf returns the section of some bytes in memory.
func SectionOf(name string, data []byte) Section {
	return Section{name, uint64(len(data)), func(write func([]byte) error) error { return write(data) }}
}

// WriteCheckpoint writes a checkpoint in place of one that is there, as Create and Finish do for a file of states.
// The state becomes a JSON object; it may be nil.
func WriteCheckpoint(ctx context.Context, path string, meta *Meta, state any, sections ...Section) (err error) {
	size, names := uint64(0), map[string]bool{metaSection: true}
	for _, s := range sections {
		if names[s.Name] || len(s.Name) > sectionName || len(names) == maxSection {
			return fmt.Errorf("%s should have at most %d sections, each with a name of its own of up to %d bytes, and cannot have %q besides", path, maxSection-1, sectionName, s.Name)
		}
		size, names[s.Name] = size+s.Bytes, true
	}
	w, err := Create(path, size, true)
	if err != nil {
		return err
	}
	defer w.giveUp(&err)
	own, c := *meta, *meta.Checkpoint
	own.Store, own.Checkpoint = CheckpointStore, &c
	if state != nil {
		if c.State, err = json.Marshal(state); err != nil {
			return err
		}
	}
	if err := own.check(checkpoints); err != nil {
		return err
	}
	b := newBody(ctx, w.file)
	for _, s := range sections {
		if err := b.section(s.Name, func() error { return s.Write(b.write) }); err != nil {
			return err
		}
	}
	_, err = w.seal(b, &own)
	return err
}

// State decodes the state that the engine of a checkpoint has written. Without one it leaves v as it is.
func (f *File) State(v any) error {
	c := f.meta.Checkpoint
	if c == nil {
		return f.damaged("it should be the checkpoint of a run")
	}
	if len(c.State) == 0 {
		return nil
	}
	if err := json.Unmarshal(c.State, v); err != nil {
		return f.damaged("the state of its run cannot be read: %v", err)
	}
	return nil
}

// Section checks a section of a checkpoint against its checksums and returns its bytes. The section must have the
// given length, or the length is AnyLength. The bytes begin at a page, and lie in the map: read them within Read.
func (f *File) Section(name string, length uint64) ([]byte, error) {
	s, err := f.find(name, length)
	if err == nil {
		err = mapped.Guard(func() error { return f.checkRange(s.offset, s.length) })
	}
	if err != nil {
		return nil, err
	}
	return part{f, s}.bytes(), nil
}

// Damaged is the error of a checkpoint that an engine cannot have written. An error of the system is returned as
// it is.
func (f *File) Damaged(format string, args ...any) error { return f.damaged(format, args...) }

// checkpointKind is what a run has found so far, which its engine knows.
type checkpointKind struct{ plainKind }

func (checkpointKind) write(*body, *job) error { return errors.ErrUnsupported }

func (checkpointKind) open(f *File) (bitset.Reader, error) { return noSet{f}, nil }

// A noSet stands for the members of a checkpoint.
type noSet struct{ f *File }

// Len implements bitset.Reader.
func (n noSet) Len() uint64 { return n.f.meta.Size }

// Block implements bitset.Reader.
func (n noSet) Block(uint64) ([]uint64, error) {
	return nil, fmt.Errorf("%s is the checkpoint of a run: resume the run", n.f.path)
}
