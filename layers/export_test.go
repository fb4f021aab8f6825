package layers

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"pagoda/bitset"
	"pagoda/internal/disk"
	"pagoda/internal/mapped"
	"pagoda/trie/zstd"
)

// UseShardBits makes bitmaps of fewer numbers for a test.
func UseShardBits(t *testing.T, bits int) {
	old := shardBits
	shardBits = bits
	t.Cleanup(func() { shardBits = old })
}

// A RawSection is a section of a file that Handmade makes.
type RawSection struct {
	Name string
	Data []byte
}

// Handmade writes a file of any sections, with right checksums.
func Handmade(t testing.TB, path string, meta *Meta, sections ...RawSection) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := json.Marshal(meta)
	if err != nil {
		t.Fatal(err)
	}
	b := &body{ctx: t.Context(), file: &disk.File{File: file}, offset: pageSize}
	for _, s := range append(sections, RawSection{"meta", text}) {
		if err := b.section(s.Name, func() error { return b.write(s.Data) }); err != nil {
			t.Fatal(err)
		}
	}
	h := &header{sections: b.sections, sums: uint64(b.offset)}
	sums := b.finish()
	h.sumsCRC, h.length = checksum(sums), h.sums+uint64(len(sums))
	_, err1 := file.WriteAt(sums, int64(h.sums))
	_, err2 := file.WriteAt(h.encode(), 0)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
}

// Compress makes a frame of words.
func Compress(t testing.TB, words []uint64) []byte {
	t.Helper()
	return zstd.Coder{}.EncodeAll(mapped.Bytes(words), nil)
}

// MendHeader makes the checksum of the header right.
func MendHeader(data []byte) {
	if len(data) >= pageSize {
		binary.LittleEndian.PutUint32(data[pageSize-4:], checksum(data[:pageSize-4]))
	}
}

// MendAll makes all checksums right, as far as the header says where they are.
func MendAll(data []byte) {
	if len(data) < pageSize {
		return
	}
	sums := binary.LittleEndian.Uint64(data[24:])
	if sums >= pageSize && sums < uint64(len(data)) {
		for first := uint64(pageSize); first < sums; first += stretchSize {
			at := sums + (first-pageSize)/stretchSize*4
			if at+4 <= uint64(len(data)) {
				binary.LittleEndian.PutUint32(data[at:], checksum(data[first:min(first+stretchSize, sums)]))
			}
		}
		binary.LittleEndian.PutUint32(data[32:], checksum(data[sums:]))
	}
	MendHeader(data)
}

// Sections returns copies of the sections of an open file, without the metadata.
func (f *File) Sections() (all []RawSection) {
	for _, s := range f.header.sections[:len(f.header.sections)-1] {
		all = append(all, RawSection{s.name, bytes.Clone(f.mapped.Bytes()[s.offset:][:s.length])})
	}
	return all
}

// Gaps returns places of bytes that should be zero: one in the header, one behind each section and
// one behind the checksums, if there are any.
func (f *File) Gaps() []uint64 {
	h := f.header
	gaps := []uint64{40, sectionAt + sectionLen*uint64(len(h.sections)), pageSize - 5}
	for _, s := range append(h.sections, section{offset: h.sums, length: 4 * h.stretches()}) {
		if at := s.offset + s.length; at%pageSize != 0 {
			gaps = append(gaps, at, pad(at)-1)
		}
	}
	return gaps
}

// SameLists compares the lists of a batch by vectors and one word after the other, if a reader has both. It changes the
// list of the batch.
func SameLists(r bitset.Reader, b *bitset.Batch) (same, both bool) {
	w, ok := r.(*ways)
	if !ok || !hasVectors || b.N == 0 {
		return true, false
	}
	fast := *b
	if w.list(b) != nil || !w.listFast(&fast) {
		return false, true
	}
	n := b.Listed
	return fast.Firsts == b.Firsts && fast.Listed == n && fast.Found == b.Found && fast.Words == b.Words && fast.Masks == b.Masks &&
		slices.Equal(fast.Places[:n], b.Places[:n]) && slices.Equal(fast.Bits[:n], b.Bits[:n]), true
}

// HasVectors says that the processor has vectors for the lists of batches.
var HasVectors = hasVectors

// Has reports whether number x is a member, or that the file is damaged.
func (f *File) Has(x uint64) (has bool, err error) {
	err = mapped.Guard(func() error {
		has, err = bitset.Has(f.members, x)
		return err
	})
	return has, err
}
