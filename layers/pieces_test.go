package layers_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pagoda/internal/failpoint"
	"pagoda/internal/long"
	"pagoda/internal/mapped"
	"pagoda/layers"
	"pagoda/statespace"
)

// listOf is the text of a list of pieces, by what docs/reference/format.md says.
func listOf(lines ...string) []byte {
	text := "pagoda pieces 1\n" + strings.Join(lines, "")
	return fmt.Appendf(nil, "%send %08x\n", text, crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
}

// cutUp cuts a file into pieces at some offsets, and puts their list in its place. It returns the paths.
func cutUp(t testing.TB, path string, offsets ...int) (pieces []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := path + ".pieces"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var lines []string
	last := 0
	for i, at := range append(offsets, len(data)) {
		name := fmt.Sprintf("%s/%03d", filepath.Base(dir), i)
		lines = append(lines, fmt.Sprintf("%d %s\n", at-last, name))
		pieces = append(pieces, filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		if err := os.WriteFile(pieces[i], data[last:at], 0o644); err != nil {
			t.Fatal(err)
		}
		last = at
	}
	if err := os.WriteFile(path, listOf(lines...), 0o644); err != nil {
		t.Fatal(err)
	}
	return pieces
}

// together returns the bytes of the pieces that a list names, in a row.
func together(t testing.TB, path string) (data []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, line := range lines[1 : len(lines)-2] {
		_, name, _ := strings.Cut(line, " ")
		piece, err := os.ReadFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, piece...)
	}
	return data
}

// A file in pieces is read as one file, however it is cut, and joined to it.
func TestPieces(t *testing.T) {
	for _, sp := range []reached{reach(t, "oooo\noooo\noo.o\noooo\noooo"), octagon(t), slides(t, "slide/dads"), explore(t, directedRing), explore(t, counted{undirectedRing})} {
		for i, store := range sp.stores() {
			if !long.Tests && i%3 > 0 {
				continue
			}
			path := filepath.Join(t.TempDir(), "a.reach")
			writeStore(t, path, store.Name, sp)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			last := len(whole) / 4096 * 4096
			cuts := [][]int{{4096, 8192}, {4096, last - 4096}, {4096, 4096 + (last-4096)/2 + 8}, {4096}}[i%4]
			pieces := cutUp(t, path, cuts...)
			if !bytes.Equal(together(t, path), whole) {
				t.Fatal("the pieces are not the file")
			}
			f := open(t, path)
			if !f.InPieces() || f.Size() != uint64(len(whole)) || f.Path() != path {
				t.Errorf("%s, %s: %d bytes in pieces, want %d", sp.Name(), store.Name, f.Size(), len(whole))
			}
			if info, err := f.Stat(); err != nil || info.Name() != "a.reach" || f.Replaced() {
				t.Errorf("%s, %s: %v, %v", sp.Name(), store.Name, info, err)
			}
			testMembers(t, store.Name, f, inFile(t, f, sp))
			joined := filepath.Join(t.TempDir(), "joined")
			if n, err := layers.Join(t.Context(), f, joined, false, nil); err != nil || n != int64(len(whole)) {
				t.Errorf("%s, %s: %d, %v", sp.Name(), store.Name, n, err)
			} else if again, err := os.ReadFile(joined); err != nil || !bytes.Equal(again, whole) {
				t.Errorf("%s, %s: it was joined to another file, %v", sp.Name(), store.Name, err)
			}
			noDebris(t, joined)
			if err := f.Intact(); err != nil {
				t.Error(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			info, err := layers.OpenInfo(path)
			if err != nil || info.Size() != uint64(len(whole)) || len(pieces) != len(cuts)+1 {
				t.Errorf("%s, %s: %v", sp.Name(), store.Name, err)
			} else {
				info.Close()
			}
		}
	}
}

// A list that is a link is one beside its pieces.
func TestLinkToPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	set, _ := write(t, path, 1<<16)
	cutUp(t, path, 4096)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	if has, err := open(t, link).Has(0); err != nil || !has || !set.Has(0) {
		t.Errorf("%t, %v", has, err)
	}
}

// What is wrong with a piece names the piece, and nothing is taken for another piece.
func TestDamagedPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 3<<19)
	pieces := cutUp(t, path, 4096, 4096+64<<10, 4096+128<<10)
	list, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := read(path); err != nil {
		t.Fatal(err)
	}
	swap := func(i, k int) error {
		return errors.Join(os.Rename(pieces[i], path+"x"), os.Rename(pieces[k], pieces[i]), os.Rename(path+"x", pieces[k]))
	}
	for i, piece := range pieces {
		good, err := os.ReadFile(piece)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, len(good) / 2, len(good) - 1} {
			bad := bytes.Clone(good)
			bad[at] ^= 4
			testDamagedPiece(t, path, piece, fmt.Sprintf("byte %d of piece %d flipped", at, i), func() error { return os.WriteFile(piece, bad, 0o644) })
		}
		testDamagedPiece(t, path, piece, "a byte too few", func() error { return os.WriteFile(piece, good[1:], 0o644) })
		testDamagedPiece(t, path, piece, "a byte too many", func() error { return os.WriteFile(piece, append(bytes.Clone(good), 0), 0o644) })
		testDamagedPiece(t, path, piece, "removed", func() error { return os.Remove(piece) })
		testDamagedPiece(t, path, piece, "a directory", func() error { return os.Mkdir(piece, 0o755) })
		outside := filepath.Join(t.TempDir(), "outside")
		if err := os.WriteFile(outside, good, 0o644); err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" {
			testDamagedPiece(t, path, piece, "a link out of the directory", func() error { return errors.Join(os.Remove(piece), os.Symlink(outside, piece)) })
		}
		if err := errors.Join(os.RemoveAll(piece), os.WriteFile(piece, good, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	testDamagedPiece(t, path, pieces[1], "swapped", func() error { return swap(1, 2) })
	if err := swap(1, 2); err != nil {
		t.Fatal(err)
	}

	// Those of a file of other states, and of another length.
	for _, n := range []uint64{3 << 19, 3<<19 + 64} {
		other := filepath.Join(t.TempDir(), "other")
		sp, set, meta := example(n)
		set.Add(5)
		meta.States = set.Count()
		meta.Layers = []statespace.Layer{{States: set.Count()}}
		w, err := layers.Create(other, 0, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Finish(t.Context(), sp, set, meta, layers.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		foreign, err := os.ReadFile(other)
		if err != nil {
			t.Fatal(err)
		}
		for i, cut := range []int{0, 4096, 4096 + 64<<10, 4096 + 128<<10} {
			good, err := os.ReadFile(pieces[i])
			if err != nil {
				t.Fatal(err)
			}
			if cut+len(good) > len(foreign) || bytes.Equal(foreign[cut:cut+len(good)], good) {
				continue
			}
			err = errors.Join(os.WriteFile(pieces[i], foreign[cut:cut+len(good)], 0o644), read(path))
			if !errors.Is(err, layers.ErrDamaged) {
				t.Errorf("piece %d of another file: %v", i, err)
			}
			if err := os.WriteFile(pieces[i], good, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}

	// The list itself.
	for n := range list {
		if err := os.WriteFile(path, list[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong *layers.FileError
		if err := read(path); !errors.As(err, &wrong) || wrong.Path != path || n > 13 && wrong.Err != layers.ErrDamaged {
			t.Errorf("%d bytes of the list: %v", n, err)
		}
	}
}

func testDamagedPiece(t *testing.T, path, piece, what string, damage func() error) {
	t.Helper()
	if err := damage(); err != nil {
		t.Fatal(err)
	}
	err := read(path)
	var wrong *layers.FileError
	if !errors.As(err, &wrong) || wrong.Err != layers.ErrDamaged || !strings.Contains(wrong.Path, piece) {
		// A header that is no header is something else.
		if wrong == nil || wrong.Err != layers.ErrNotReach || wrong.Path != piece {
			t.Errorf("%s: %s: %v", piece, what, err)
		}
	}
}

func TestLists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	for _, c := range []struct {
		list []byte
		err  error
		text string
	}{
		{[]byte("pagoda pieces 2\nend 00000000\n"), layers.ErrVersion, `should be "pagoda pieces 1", and is "pagoda pieces 2"`},
		{[]byte("pagoda pieces 1\n4096 a\nend 00000000\n"), layers.ErrDamaged, "last line"},
		{listOf(), layers.ErrDamaged, "the header, of 4096 bytes"},
		{listOf("8192 a\n"), layers.ErrDamaged, "the header, of 4096 bytes"},
		{listOf("4096 a\n", "0 b\n"), layers.ErrDamaged, "piece 1 of its list should have a number of bytes"},
		{listOf("4096 a\n", "-1 b\n"), layers.ErrDamaged, "number of bytes"},
		{listOf("4096 a\n", "08 b\n"), layers.ErrDamaged, "number of bytes"},
		{listOf("4096 a\n", "9223372036854775807 b\n"), layers.ErrDamaged, "number of bytes"},
		{listOf("4096 a\n", "\n"), layers.ErrDamaged, "number of bytes"},
		{listOf("4096 a\n", "8\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 ../b\n"), layers.ErrDamaged, `such as x/000, and is "../b"`},
		{listOf("4096 a\n", "8 x/../b\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 /etc/passwd\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 .\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 x\\b\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 \x1b[2Jb\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 a\n", "8 \xff\n"), layers.ErrDamaged, "a path with slashes"},
		{listOf("4096 none\n"), layers.ErrDamaged, "it is not there"},
		{listOf(strings.Repeat("4096 a\n", 1<<18)), layers.ErrDamaged, "at most 1048576 bytes"},
	} {
		if err := os.WriteFile(path, c.list, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := layers.OpenInfo(path)
		if err == nil {
			f.Close()
		}
		var wrong *layers.FileError
		if !errors.As(err, &wrong) || wrong.Err != c.err || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%.60q: %v; want %q", c.list, err, c.text)
		}
	}
}

// A piece that is cut short while it is open makes errors that name it.
func TestPieceCutWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mapped file cannot be cut short here")
	}
	for i := range 4 {
		path := filepath.Join(t.TempDir(), "a.reach")
		write(t, path, 3<<19)
		pieces := cutUp(t, path, 4096, 4096+64<<10, 4096+128<<10)
		f := open(t, path)
		if err := os.Truncate(pieces[i], 0); err != nil {
			t.Fatal(err)
		}
		_, joined := layers.Join(t.Context(), f, filepath.Join(t.TempDir(), "joined"), false, nil)
		for _, err := range []error{f.Intact(), joined} {
			if !errors.Is(err, mapped.ErrFault) || !strings.Contains(err.Error(), pieces[i]) {
				t.Errorf("piece %d: %v", i, err)
			}
		}
		f.Close()
	}
	path := filepath.Join(t.TempDir(), "a.reach")
	write(t, path, 1<<16)
	cutUp(t, path, 4096)
	f := open(t, path)
	if err := os.WriteFile(path, []byte("another list"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := f.Intact(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a list that was changed: %v", err)
	}
}

// first cuts the first section of a file into pieces of some stretches, as workers write it.
func first(t testing.TB, path string, stretches int) (pieces []layers.Piece) {
	t.Helper()
	f := open(t, path)
	data := f.Sections()[0].Data
	f.Close()
	if err := os.MkdirAll(path+".pieces", 0o755); err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(data, stretches<<16) {
		p := layers.Piece{Name: fmt.Sprintf("%s.pieces/%03d", filepath.Base(path), len(pieces)), Bytes: uint64(len(part))}
		for stretch := range slices.Chunk(part, 1<<16) {
			p.Sums = append(p.Sums, crc32.Checksum(stretch, crc32.MakeTable(crc32.Castagnoli)))
		}
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(p.Name)), part, 0o644); err != nil {
			t.Fatal(err)
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// entries returns the names in a directory.
func entries(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// What Compose makes is, in a row, the file that Finish writes.
func TestCompose(t *testing.T) {
	spaces := []reached{
		small(t), reach(t, "oooo\noooo\noo.o\noooo\noooo"), octagon(t), refold(t, reach(t, "ooo\noo.o\n oooo\noo oo"), 6), slides(t, "slide/dads"),
		explore(t, directedRing), explore(t, undirectedRing), explore(t, ring{N: 600_000, Steps: []uint64{1, 1000, 30_000}, Back: true}),
	}
	composed := make(map[string]int)
	for _, sp := range spaces {
		for _, store := range sp.stores() {
			whole := slices.Contains([]string{layers.SetStore, layers.FoldedStore, layers.Mod3Store, layers.DistanceStore}, store.Name)
			if !whole && sp.Size() >= 1<<12 {
				continue // smaller spaces show that it is refused
			}
			path := filepath.Join(t.TempDir(), "a.reach")
			writeStore(t, path, store.Name, sp)
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := open(t, path)
			meta := *f.Meta()
			f.Close()
			pieces := first(t, path, 1+len(composed)%2)
			size, err := layers.Compose(t.Context(), path, sp.Space, pieces, &meta, true)
			if !whole {
				if err == nil {
					t.Errorf("%s: a file of the store %s was composed", sp.Name(), store.Name)
				}
				continue
			}
			if err != nil || size != int64(len(want)) {
				t.Fatalf("%s, %s: %d bytes, want %d: %v", sp.Name(), store.Name, size, len(want), err)
			}
			if !bytes.Equal(together(t, path), want) {
				t.Errorf("%s, %s: other bytes than Finish writes", sp.Name(), store.Name)
			}
			f = open(t, path)
			if err := f.Check(t.Context(), 1, nil); err != nil {
				t.Error(err)
			}
			if sp.Size() < 1<<12 { // TestPieces has larger ones
				testMembers(t, store.Name, f, inFile(t, f, sp))
			}
			f.Close()
			composed[store.Name] = max(composed[store.Name], len(pieces))

			// Again, with more metadata, while a reader is there.
			if store.KeepsDistances {
				testComposeAgain(t, path, sp, pieces, meta)
			}
			if names := entries(t, path+".pieces"); len(names) != len(pieces)+2 || len(entries(t, filepath.Dir(path))) != 2 {
				t.Errorf("%s, %s: %d pieces, and these files: %v", sp.Name(), store.Name, len(pieces), names)
			}
		}
	}
	if len(composed) != 4 || composed[layers.Mod3Store] < 2 || composed[layers.DistanceStore] < 2 || composed[layers.SetStore] < 2 {
		t.Errorf("the most pieces by store: %v", composed)
	}
}

func testComposeAgain(t *testing.T, path string, sp reached, pieces []layers.Piece, meta layers.Meta) {
	t.Helper()
	reader := open(t, path)
	defer reader.Close()
	meta.Goal = &layers.Goal{Distance: 1, Solutions: big.NewInt(1), Count: 1, Nearest: []uint64{meta.Size - 1}}
	if _, err := layers.Compose(t.Context(), path, sp.Space, pieces, &meta, false); !errors.Is(err, layers.ErrExists) {
		t.Errorf("there is a file: %v", err)
	}
	if _, err := layers.Compose(t.Context(), path, sp.Space, pieces, &meta, true); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	defer f.Close()
	if f.Meta().Goal == nil || reader.Meta().Goal != nil || !reader.Replaced() || f.Replaced() {
		t.Error("the metadata were not replaced")
	}
	for _, f := range []*layers.File{reader, f} {
		if err := errors.Join(f.Check(t.Context(), 1, nil), f.Intact()); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be composed is an error, and leaves nothing.
func TestComposeRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	sp := explore(t, ring{N: 600_000, Steps: []uint64{1, 1000, 30_000}, Back: true})
	writeStore(t, path, layers.Mod3Store, sp)
	pieces := first(t, path, 1)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	meta := metaOf(sp, layers.Mod3Store)
	for _, c := range []struct {
		text   string
		change func(pieces []layers.Piece, meta *layers.Meta) []layers.Piece
	}{
		{"its 0 pieces have 0", func([]layers.Piece, *layers.Meta) []layers.Piece { return nil }},
		{"pieces have 131072 together", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { return p[:2] }},
		{"a multiple of 65536", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { p[0].Bytes--; return p }},
		{"a multiple of 65536", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { return append(p, p[0]) }},
		{"checksums", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { p[1].Sums = nil; return p }},
		{"a path with slashes", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { p[1].Name = "../x"; return p }},
		{"it is not there", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { p[1].Name = "none"; return p }},
		{"it should have 65536 bytes", func(p []layers.Piece, _ *layers.Meta) []layers.Piece { p[0].Name = p[len(p)-1].Name; return p }},
		{"give it another name", func(p []layers.Piece, _ *layers.Meta) []layers.Piece {
			p[1].Name = p[1].Name[:15] + "a.reach.0123abcd.head"
			return p
		}},
		{"states", func(p []layers.Piece, m *layers.Meta) []layers.Piece { m.States++; return p }},
		{"cannot be composed", func(p []layers.Piece, m *layers.Meta) []layers.Piece { m.Store = layers.TrieStore; return p }},
		{"there is no store", func(p []layers.Piece, m *layers.Meta) []layers.Piece { m.Store = "other"; return p }},
		{"there is no store", func(p []layers.Piece, m *layers.Meta) []layers.Piece { m.Store = layers.CheckpointStore; return p }},
	} {
		changed := *meta
		_, err := layers.Compose(t.Context(), path, sp.Space, c.change(slices.Clone(pieces), &changed), &changed, true)
		if err == nil || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v; want %q", err, c.text)
		}
	}
	if names := entries(t, path+".pieces"); len(names) != len(pieces) || len(entries(t, filepath.Dir(path))) != 1 {
		t.Errorf("%d pieces, and these files: %v", len(pieces), names)
	}
	valued := explore(t, counted{directedRing})
	if _, err := layers.Compose(t.Context(), path, valued.Space, pieces, metaOf(valued, layers.DistanceStore), true); err == nil || !strings.Contains(err.Error(), "numbers of its states besides the distances") {
		t.Errorf("a space with values: %v", err)
	}
	folded := octagon(t)
	if _, err := layers.Compose(t.Context(), path, folded.Space, pieces, metaOf(folded, layers.FoldedStore), true); err == nil || !strings.Contains(err.Error(), "orbits") {
		t.Errorf("layers without orbits: %v", err)
	}
}

// Whatever operation fails, the file that was there stays, and it can be composed after that.
func TestComposeFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.reach")
	sp := explore(t, undirectedRing)
	writeStore(t, path, layers.Mod3Store, sp)
	pieces := first(t, path, 1)
	meta := metaOf(sp, layers.Mod3Store)
	if _, err := layers.Compose(t.Context(), path, sp.Space, pieces, meta, true); err != nil {
		t.Fatal(err)
	}
	meta.Goal = &layers.Goal{Distance: 1, Solutions: big.NewInt(1), Count: 1, Nearest: []uint64{7}}
	fault := errors.New("a fault")
	for n := 0; ; n++ {
		count := 0
		undo := failpoint.Inject(func(string, string) error {
			if count++; count == n+1 {
				return fault
			}
			return nil
		})
		_, err := layers.Compose(t.Context(), path, sp.Space, pieces, meta, true)
		undo()
		if read := read(path); read != nil {
			t.Fatalf("operation %d: %v; after %v", n, read, err)
		}
		if count <= n {
			if err != nil || n < 10 {
				t.Errorf("after %d operations: %v", n, err)
			}
			break
		}
	}
	if names := entries(t, path+".pieces"); len(names) != len(pieces)+2 {
		t.Errorf("%d pieces, and these files: %v", len(pieces), names)
	}
}

// FuzzPieces reads lists of pieces, beside some that are there.
func FuzzPieces(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.reach")
	write(f, path, 1<<18)
	cutUp(f, path, 4096, 4096+16<<10)
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	text := string(good[:len(good)-len("end 01234567\n")])
	_, lines, _ := strings.Cut(text, "\n")
	f.Add(lines)
	f.Add("4096 a\n8 ../b\n")
	f.Add("4096 a.reach.pieces/000\n")
	f.Add("4096 a.reach\n" + strings.Repeat("9 x/../y\n", 3))
	f.Fuzz(func(t *testing.T, lines string) {
		if err := os.WriteFile(path, listOf(lines), 0o644); err != nil {
			t.Fatal(err)
		}
		info, err := layers.OpenInfo(path)
		if err == nil {
			if lines != text[len("pagoda pieces 1\n"):] {
				t.Errorf("this is not the list: %q", lines)
			}
			info.Close()
		}
	})
}
