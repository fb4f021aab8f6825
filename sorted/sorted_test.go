package sorted_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pagoda/internal/long"
	"pagoda/sorted"
)

// plain is a list kept as a slice of codes: the twin that lists are held against.
type plain struct {
	words int
	codes [][]uint64
}

// newPlain sorts codes and drops what is there twice.
func newPlain(words int, codes [][]uint64) plain {
	slices.SortFunc(codes, slices.Compare)
	return plain{words, slices.CompactFunc(codes, slices.Equal)}
}

func (p plain) rank(code []uint64) (uint64, bool) {
	i, ok := slices.BinarySearchFunc(p.codes, code, slices.Compare)
	return uint64(i), ok
}

func (p plain) write(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := sorted.NewWriter(&out, p.words)
	if err != nil {
		t.Fatal(err)
	}
	for rest := p.codes; len(rest) > 0; { // some at once
		n := min(len(rest), 1+len(rest)%700)
		if err := w.Append(slices.Concat(rest[:n]...)); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if w.Len() != uint64(len(p.codes)) {
		t.Fatalf("%d codes written, want %d", w.Len(), len(p.codes))
	}
	size, err := w.Close()
	if err != nil || size != uint64(out.Len()) {
		t.Fatalf("%d bytes, want %d: %v", size, out.Len(), err)
	}
	return out.Bytes()
}

// list writes a list and opens it as a file.
func (p plain) list(t testing.TB) *sorted.List {
	t.Helper()
	data := p.write(t)
	l, err := sorted.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// hold holds a list, read from memory and from a file, against its plain twin.
func (p plain) hold(t *testing.T, rng *rand.Rand) {
	t.Helper()
	data := p.write(t)
	l, err := sorted.Over(data)
	if err != nil {
		t.Fatal(err)
	}
	p.holdList(t, rng, l)
	p.holdList(t, rng, p.list(t))
}

func (p plain) holdList(t *testing.T, rng *rand.Rand, l *sorted.List) {
	t.Helper()
	n := len(p.codes)
	if l.Len() != uint64(n) || l.Words() != p.words || l.Chunks() != uint64((n+sorted.ChunkCodes-1)/sorted.ChunkCodes) {
		t.Fatalf("%d codes of %d words in %d chunks, want %d of %d", l.Len(), l.Words(), l.Chunks(), n, p.words)
	}
	i := 0
	for code, err := range all(l) {
		if err != nil || !slices.Equal(code, p.codes[i]) {
			t.Fatalf("code %d is %x, want %x: %v", i, code, p.codes[i], err)
		}
		i++
	}
	if i != n {
		t.Fatalf("%d codes, want %d", i, n)
	}
	for range min(200, 3*n) {
		rank := rng.IntN(n)
		code, err := l.At(nil, uint64(rank))
		if err != nil || !slices.Equal(code, p.codes[rank]) {
			t.Fatalf("the code of rank %d is %x, want %x: %v", rank, code, p.codes[rank], err)
		}
	}
	for _, code := range p.sought(rng) {
		want, has := p.rank(code)
		rank, found, err := l.Rank(code)
		if err != nil || rank != want || found != has {
			t.Fatalf("the rank of %x is %d (%t), want %d (%t): %v", code, rank, found, want, has, err)
		}
	}
	p.holdCursor(t, rng, l)
}

// all iterates over all codes of a list.
func all(l *sorted.List) iter.Seq2[[]uint64, error] {
	return func(yield func([]uint64, error) bool) {
		for c := l.Cursor(1 << 16); ; {
			codes, err := c.Next()
			if err != nil {
				yield(nil, err)
			}
			if err != nil || len(codes) == 0 {
				return
			}
			for code := range slices.Chunk(codes, l.Words()) {
				if !yield(code, nil) {
					return
				}
			}
		}
	}
}

// sought returns codes in the list, beside them, and elsewhere.
func (p plain) sought(rng *rand.Rand) (codes [][]uint64) {
	for range 100 {
		code := make([]uint64, p.words)
		for i := range code {
			code[i] = rng.Uint64() >> rng.IntN(64)
		}
		if n := len(p.codes); n > 0 && rng.IntN(4) > 0 {
			copy(code, p.codes[rng.IntN(n)])
			code[rng.IntN(p.words)] += uint64(rng.IntN(3) - 1)
		}
		codes = append(codes, code)
	}
	last := slices.Repeat([]uint64{^uint64(0)}, p.words)
	return append(codes, make([]uint64, p.words), last)
}

// holdCursor goes through the list with a cursor that passes over chunks now and then.
func (p plain) holdCursor(t *testing.T, rng *rand.Rand, l *sorted.List) {
	t.Helper()
	c := l.Cursor(rng.IntN(5000))
	at := 0
	for {
		if rng.IntN(3) == 0 && len(p.codes) > 0 {
			code := p.codes[rng.IntN(len(p.codes))]
			if err := c.Seek(code); err != nil {
				t.Fatal(err)
			}
			if rank, _ := p.rank(code); int(rank) >= at {
				at = int(rank) / sorted.ChunkCodes * sorted.ChunkCodes
			}
		}
		codes, err := c.Next()
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(p.codes[at:min(at+sorted.ChunkCodes, len(p.codes))]...)
		if !slices.Equal(codes, want) {
			t.Fatalf("from %d on the cursor has %x, want %x", at, codes, want)
		}
		if len(codes) == 0 {
			return
		}
		at += len(codes) / p.words
	}
}

// shapes are ways to make codes of one word.
var shapes = map[string]func(rng *rand.Rand) uint64{
	"small":  func(rng *rand.Rand) uint64 { return uint64(rng.IntN(2000)) },
	"half":   func(rng *rand.Rand) uint64 { return 1<<40 + uint64(rng.IntN(8000)) },
	"sparse": func(rng *rand.Rand) uint64 { return rng.Uint64() },
	"fields": func(rng *rand.Rand) uint64 { return rng.Uint64() & 0x001f03e0001f001f },
	"ends":   func(rng *rand.Rand) uint64 { return -uint64(rng.IntN(2)) + uint64(rng.IntN(700)) - 350 },
	"few":    func(rng *rand.Rand) uint64 { return uint64(1) << rng.IntN(64) },
}

func TestLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, shape := range shapes {
		for _, words := range []int{1, 2, 3, sorted.MaxWords} {
			for _, n := range []int{0, 1, 2, 512, 513, 1024, 2000} {
				if !long.Tests && (n > 513 || words == 3) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d/%d", name, words, n), func(t *testing.T) {
					var codes [][]uint64
					for range n {
						code := make([]uint64, words)
						if len(codes) > 0 {
							copy(code, codes[rng.IntN(len(codes))])
						}
						for i := rng.IntN(words); i < words; i++ {
							code[i] = shape(rng)
						}
						codes = append(codes, code)
					}
					newPlain(words, codes).hold(t, rng)
				})
			}
		}
	}
}

// TestConsecutive: consecutive numbers take less than two bits each.
func TestConsecutive(t *testing.T) {
	p := plain{words: 1}
	for x := range uint64(100_000) {
		p.codes = append(p.codes, []uint64{1<<44 - 50_000 + x})
	}
	if size := len(p.write(t)); size > len(p.codes)*2/8 {
		t.Errorf("%d numbers take %d bytes", len(p.codes), size)
	}
}

// TestFarGaps: the gaps that do not fit into a machine word with their parameter.
func TestFarGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := plain{words: 2}
	for x := range uint64(600) {
		p.codes = append(p.codes, []uint64{x, 0}, []uint64{x, 1<<63 + x}, []uint64{x, 1<<64 - 1})
	}
	p.hold(t, rng)
	newPlain(1, [][]uint64{{0}, {1<<64 - 1}}).hold(t, rng)
	newPlain(1, [][]uint64{{0}, {1 << 63}, {1<<64 - 1}}).hold(t, rng)
}

// TestThreads: several goroutines use one list.
func TestThreads(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var codes [][]uint64
	for range 5000 {
		codes = append(codes, []uint64{uint64(rng.IntN(3)), rng.Uint64()})
	}
	p := newPlain(2, codes)
	l := p.list(t)
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for rank := i; rank < len(p.codes); rank += 4 {
				if found, ok, err := l.Rank(p.codes[rank]); err != nil || !ok || found != uint64(rank) {
					t.Errorf("the rank of %x is %d (%t), want %d: %v", p.codes[rank], found, ok, rank, err)
				}
			}
		})
	}
	group.Wait()
}

func TestWriterErrors(t *testing.T) {
	for _, words := range []int{-1, 0, sorted.MaxWords + 1} {
		if _, err := sorted.NewWriter(&bytes.Buffer{}, words); err == nil {
			t.Errorf("a list of codes of %d words", words)
		}
	}
	for _, c := range []struct {
		codes []uint64
		want  string
	}{
		{[]uint64{1, 2, 1, 2}, "must increase"},
		{[]uint64{1, 2, 0, 3}, "must increase"},
		{[]uint64{1, 2, 3}, "found 3 words"},
	} {
		w, err := sorted.NewWriter(&bytes.Buffer{}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(c.codes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.codes, err)
		}
		if _, err := w.Close(); err == nil {
			t.Errorf("%v: closed", c.codes)
		}
	}
	// A disk that is full after some bytes, wherever.
	full := errors.New("full")
	whole := 0
	for room := 0; ; room += 97 {
		w, err := sorted.NewWriter(&limited{room: room, err: full}, 1)
		for x := uint64(0); err == nil && x < 2000; x++ {
			err = w.Append([]uint64{x * x})
		}
		size := uint64(0)
		if err == nil {
			size, err = w.Close()
		}
		if err == nil {
			if whole = int(size); room < whole {
				t.Fatalf("%d bytes were written where %d have room", whole, room)
			}
			break
		}
		if !errors.Is(err, full) {
			t.Fatal(err)
		}
	}
}

type limited struct {
	room int
	err  error
}

func (l *limited) Write(p []byte) (int, error) {
	if l.room -= len(p); l.room < 0 {
		return 0, l.err
	}
	return len(p), nil
}

func TestWrongQuestions(t *testing.T) {
	data := newPlain(2, [][]uint64{{1, 2}, {3, 4}}).write(t)
	l, err := sorted.Over(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.At(nil, 2); err == nil {
		t.Error("a code of rank 2")
	}
	if _, _, err := l.Rank([]uint64{1}); err == nil {
		t.Error("the rank of a code of one word")
	}
	if _, err := l.Chunk(nil, 1); err == nil {
		t.Error("chunk 1")
	}
}

// touch reads all of a list in every way, and returns the first error.
func touch(l *sorted.List, err error) error {
	if err != nil {
		return err
	}
	var first error
	keep := func(err error) {
		if first == nil {
			first = err
		}
	}
	var last []uint64
	n := uint64(0)
	for code, err := range all(l) {
		if keep(err); err != nil {
			break
		}
		if n > 0 && slices.Compare(last, code) >= 0 {
			keep(fmt.Errorf("%x comes after %x", code, last))
		}
		last = append(last[:0], code...)
		n++
		if n%100 == 0 {
			_, _, err := l.Rank(code)
			keep(err)
			_, err = l.At(nil, n-1)
			keep(err)
		}
	}
	return first
}

// TestDamage flips each bit and cuts at each byte of a list. With checksums that are made
// right again, a flipped bit makes an error or codes that increase.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for words := 1; words <= 2; words++ {
		var codes [][]uint64
		for i := range 600 {
			code := []uint64{uint64(i / 100), uint64(rng.IntN(500))}
			codes = append(codes, code[2-words:])
		}
		if words == 1 { // more than a chunk
			for i := range uint64(400) {
				codes = append(codes, []uint64{i*i + 600})
			}
		}
		good := newPlain(words, codes).write(t)
		if err := touch(sorted.Over(good)); err != nil {
			t.Fatal(err)
		}
		step := 1
		if !long.Tests {
			step = 13
		}
		for i := 0; i < 8*len(good); i += step {
			bad := slices.Clone(good)
			bad[i/8] ^= 1 << (i % 8)
			if err := touch(sorted.Over(bad)); !errors.Is(err, sorted.ErrDamaged) {
				t.Fatalf("with bit %d of %d flipped: %v", i, 8*len(good), err)
			}
			forge(bad)
			if err := touch(sorted.Over(bad)); err != nil && !errors.Is(err, sorted.ErrDamaged) {
				t.Fatalf("with bit %d of %d flipped, and the checksums right: %v", i, 8*len(good), err)
			}
		}
		for n := 0; n < len(good); n += step {
			if err := touch(sorted.Over(good[:n])); !errors.Is(err, sorted.ErrDamaged) {
				t.Fatalf("of the first %d of %d bytes: %v", n, len(good), err)
			}
			if err := touch(sorted.Open(bytes.NewReader(good[:n]), int64(len(good)))); err == nil {
				t.Fatalf("a file of %d of %d bytes is read", n, len(good))
			}
		}
	}
}

// forge makes the checksums of what may be a list right.
func forge(data []byte) {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	n := len(data)
	if n < 48 {
		return
	}
	words, index := binary.LittleEndian.Uint64(data[n-32:]), binary.LittleEndian.Uint64(data[n-16:])
	if words < 1 || words > sorted.MaxWords || index < 16 || index > uint64(n-32) {
		return
	}
	binary.LittleEndian.PutUint32(data[n-8:], crc32.Checksum(data[index:n-8], castagnoli))
	end := index
	for entry := n - 32 - 8; entry > int(index); entry -= int(8 * (words + 1)) {
		first := binary.LittleEndian.Uint64(data[entry:])
		if first < 16 || first+6 > end || first > end {
			return
		}
		binary.LittleEndian.PutUint32(data[first:], crc32.Checksum(data[first+4:end], castagnoli))
		end = first
	}
}

// FuzzOver: no bytes make more than an error, or codes that increase.
func FuzzOver(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 10))
	for words := 1; words <= 3; words++ {
		var codes [][]uint64
		for range 600 {
			code := make([]uint64, words)
			for i := range code {
				code[i] = rng.Uint64() >> rng.IntN(64)
			}
			codes = append(codes, code)
		}
		data := newPlain(words, codes).write(f)
		f.Add(data, false)
		f.Add(data, true)
		data[20] ^= 0xff // the parameter of the gaps
		f.Add(data, true)
	}
	f.Fuzz(func(t *testing.T, data []byte, repair bool) {
		if data = slices.Clone(data); repair {
			forge(data)
		}
		memory := touch(sorted.Over(data))
		file := touch(sorted.Open(bytes.NewReader(data), int64(len(data))))
		for _, err := range []error{memory, file} {
			if err != nil && !errors.Is(err, sorted.ErrDamaged) {
				t.Fatal(err)
			}
		}
		if (memory == nil) != (file == nil) {
			t.Fatalf("in memory %v, in a file %v", memory, file)
		}
	})
}

// FuzzList: codes that the bytes describe make a list that is like its plain twin.
func FuzzList(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123"), uint8(1), uint16(1))
	f.Add([]byte{255, 0, 1, 255, 255, 3, 200, 1}, uint8(2), uint16(3000))
	f.Fuzz(func(t *testing.T, data []byte, words uint8, n uint16) {
		w := 1 + int(words)%sorted.MaxWords
		if len(data) == 0 || n > 5000 {
			return
		}
		// The bytes are the steps from code to code: how far, and at which word.
		var codes [][]uint64
		code := make([]uint64, w)
		for i := range int(n) {
			b := data[i%len(data)]
			code[int(b)%w] += 1 << (b >> 2)
			codes = append(codes, slices.Clone(code))
		}
		newPlain(w, codes).hold(t, rand.New(rand.NewPCG(uint64(n), uint64(w))))
	})
}
