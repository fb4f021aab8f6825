package layers

import (
	"encoding/binary"
	"fmt"
	"slices"

	"pagoda/internal/mapped"
	"pagoda/trie"
)

// writeFrames writes frames of words, compressed, in the section "frames", and their
// offsets and the end of the last one in the section "offsets". A frame without words has no bytes.
func writeFrames(b *body, j *job, coder trie.Coder, n uint64, frame func(i uint64) ([]uint64, error)) error {
	offsets := []uint64{0}
	j.start(n)
	err := b.section("frames", func() error {
		return inOrder(b.ctx, j.Threads, n, func(i uint64) ([]byte, error) {
			words, err := frame(i)
			if err != nil || len(words) == 0 {
				return nil, err
			}
			return coder.EncodeAll(mapped.Bytes(words), nil), nil
		}, func(packed []byte) error {
			j.Progress.Add(1)
			offsets = append(offsets, offsets[len(offsets)-1]+uint64(len(packed)))
			return b.write(packed)
		})
	})
	if err != nil {
		return err
	}
	return b.section("offsets", func() error { return b.write(mapped.Bytes(offsets)) })
}

// frames are those of a file.
type frames struct {
	part
	coder   trie.Coder
	offsets []uint64
}

// openFrames finds the n frames of a file.
func openFrames(f *File, coder trie.Coder, n uint64) (*frames, error) {
	offsets, err := f.part("offsets", 8*(n+1))
	if err != nil {
		return nil, err
	}
	if err := offsets.check(0, offsets.length); err != nil {
		return nil, err
	}
	r := &frames{coder: coder, offsets: slices.Clone(offsets.words())} // others may write to the file
	if r.part, err = f.part("frames", AnyLength); err != nil {
		return nil, err
	}
	before := uint64(0)
	for i, at := range r.offsets {
		if at < before || at > r.length {
			return nil, f.damaged("frame %d of %d should lie between %d and %d, it begins at %d", i, n, before, r.length, at)
		}
		before = at
	}
	if r.offsets[0] != 0 || before != r.length {
		return nil, f.damaged("its frames should lie between 0 and %d, they lie between %d and %d", r.length, r.offsets[0], before)
	}
	return r, nil
}

// len returns the number of frames.
func (r *frames) len() uint64 { return uint64(len(r.offsets) - 1) }

// empty reports whether a frame has no words.
func (r *frames) empty(i uint64) bool { return r.offsets[i] == r.offsets[i+1] }

// read reads a frame of as many words as there is room for. The words of an empty one are 0.
func (r *frames) read(i uint64, words []uint64) error {
	from, to := r.offsets[i], r.offsets[i+1]
	if from == to {
		clear(words)
		return nil
	}
	if err := r.check(from, to-from); err != nil {
		return err
	}
	into := mapped.Bytes(words)
	data, err := r.coder.DecodeAll(r.bytes()[from:to], into[:0:len(into)])
	if err == nil && len(data) != len(into) {
		err = fmt.Errorf("it has %d bytes, not %d", len(data), len(into))
	}
	if err != nil {
		return r.f.damaged("its frame %d cannot be read: %v", i, err)
	}
	if &data[0] != &into[0] { // the decoder may use memory of its own
		for w := range words {
			words[w] = binary.LittleEndian.Uint64(data[8*w:])
		}
	}
	return nil
}
