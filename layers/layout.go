package layers

import (
	"bytes"
	"encoding/json"
	"slices"

	"pagoda/internal/mapped"
)

// firstSections are the first of the two sections that some stores have.
var firstSections = []string{"blocks", "bitmaps", "frames", "codes", "boards"}

// proveLayout checks that the file has nothing besides the sections of its store, then the
// metadata: no other section nor order, and only zeros elsewhere.
func (f *File) proveLayout() error {
	return mapped.Guard(func() error {
		data, h := f.mapped.Bytes(), f.header
		if !bytes.Equal(data[:pageSize], h.encode()) {
			return f.damaged("its header should have only zeros besides its fields")
		}
		last := len(h.sections) - 1
		for i, s := range h.sections {
			if (s.name == metaSection) != (i == last) {
				return f.damaged("its section %q should be the last one, and %q is", metaSection, h.sections[last].name)
			}
			if i > 0 && slices.Contains(firstSections, s.name) {
				return f.damaged("its section %q should come before %q", s.name, h.sections[i-1].name)
			}
			if i < last && !slices.Contains(f.used, s.name) {
				return f.damaged("the store %q has no section %q", f.store.Name, s.name)
			}
			if err := f.zeros(s.offset+s.length, s.offset+pad(s.length)); err != nil {
				return err
			}
		}
		return f.zeros(h.sums+4*h.stretches(), h.length)
	})
}

// ProveMeta checks that the metadata are, byte for byte, those that a Writer writes for want, with the store of the
// file and its details, which Prove checks. So no field is wrong, unknown or there twice.
func (f *File) ProveMeta(want *Meta) error {
	all := *want
	all.Store, all.Details = f.meta.Store, f.meta.Details
	text, err := json.Marshal(&all)
	if err != nil {
		return err
	}
	return mapped.Guard(func() error {
		p, _ := f.header.section(metaSection)
		said := f.mapped.Bytes()[p.offset:][:p.length]
		if bytes.Equal(said, text) {
			return nil
		}
		at := 0
		for at < min(len(said), len(text)) && said[at] == text[at] {
			at++
		}
		at = max(0, at-40) // so that the name of the field is seen
		return f.damaged("its metadata should continue at byte %d with %.80q, and continue with %.80q", at, text[at:], said[at:])
	})
}

// zeros returns an error if a byte from first to end, end excluded, is not 0.
func (f *File) zeros(first, end uint64) error {
	if at := bytes.IndexFunc(f.mapped.Bytes()[first:end], func(r rune) bool { return r != 0 }); at >= 0 {
		return f.damaged("its bytes %d to %d should be zero, and byte %d is not", first, end-1, first+uint64(at))
	}
	return nil
}

// zeros is File.zeros in a section.
func (p part) zeros(first, end uint64) error { return p.f.zeros(p.offset+first, p.offset+end) }
