package layers

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pagoda/internal/disk"
	"pagoda/internal/lazy"
	"pagoda/statespace"
)

// A Piece is a file that is there, with a part of the first section of a file of states.
type Piece struct {
	Name  string   // its path relative to the directory of the list, with slashes
	Bytes uint64   // more than 0, and of all but the last piece a multiple of 64 KiB
	Sums  []uint32 // the CRC32C (Castagnoli) of each 64 KiB of it, and of the rest
}

// Compose makes a file of states of pieces, which one run or several have written and made durable. Together
// they are the first section of the store that meta names: the bits of a set, the planes of distances, or the
// blocks of a folded file. Compose writes what comes before and behind them, two files .head and .tail in the
// directory of the first piece, and the list of pieces, which gets the path. All pieces in a row are the file
// that Writer.Finish writes of the same states; size is its length in bytes. The lengths of the pieces are
// checked, their content is not: see File.Check.
//
// Meta is as for Finish, except that the layers of a folded file with symmetries need their orbits.
// A space with values cannot have the store of whole distances.
//
// The list is written last, as a Writer writes a file. Until then, a file that was there stays as it was.
// Compose may be called again with the same pieces and overwrite, to add to the metadata. The errors are those
// of Create and of Finish, and a *FileError if a piece is not as it should be.
func Compose(ctx context.Context, path string, sp statespace.Space, pieces []Piece, meta *Meta, overwrite bool) (size int64, err error) {
	w, err := Create(path, 0, overwrite)
	if err != nil {
		return 0, err
	}
	defer w.giveUp(&err)
	store, own, err := prepare(sp, sp.Size(), meta)
	if err != nil {
		return 0, err
	}
	k, ok := store.kind.(composer)
	if !ok || store.unfinished {
		return 0, fmt.Errorf("a file of the store %s cannot be composed of pieces: use %s, %s, %s or %s", store.Name, SetStore, FoldedStore, Mod3Store, DistanceStore)
	}
	first, rest, err := k.compose(sp, own)
	if err != nil {
		return 0, err
	}
	if err := own.check(store); err != nil {
		return 0, err
	}
	if own.Symmetries > 1 && !own.countsOrbits() {
		return 0, fmt.Errorf("the layers of a folded file in pieces should have their orbits, and have none: count them before")
	}
	if err := checkPieces(pieces, first); err != nil {
		return 0, err
	}
	here := pieces[0].Name[:strings.LastIndex(pieces[0].Name, "/")+1] + filepath.Base(w.path)
	var list []listed
	var sums []byte
	for _, p := range pieces {
		if isEnd(here, p.Name) {
			return 0, fmt.Errorf("a piece should not be named %s, as what is written besides the pieces is: give it another name", p.Name)
		}
		list = append(list, listed{p.Name, p.Bytes})
		for _, sum := range p.Sums {
			sums = binary.LittleEndian.AppendUint32(sums, sum)
		}
	}
	if err := w.findPieces(list); err != nil {
		return 0, err
	}
	old, partial := w.oldList(), endsOf(here, PartialSuffix)
	unused := partial
	defer func() { w.removeEnds(here, unused, old) }()
	var h *header
	if err := w.writeEnd(partial.tail, func(file *disk.File) (err error) {
		b := newBody(ctx, file)
		b.base = int64(first.offset + first.length)
		b.goOn(first.length, sums)
		if err := b.compose(first, rest); err != nil {
			return err
		}
		h, err = b.end(own)
		return err
	}); err != nil {
		return 0, err
	}
	if err := w.writeEnd(partial.head, func(file *disk.File) error {
		_, err := file.Write(h.encode())
		return err
	}); err != nil {
		return 0, err
	}
	// Other bytes have other names: the ends of the list that is there stay until it is replaced.
	names := endsOf(here, fmt.Sprintf(".%08x", h.sumsCRC))
	list = slices.Concat([]listed{{names.head, pageSize}}, list, []listed{{names.tail, h.length - first.offset - first.length}})
	text := encodeList(list)
	if _, bad := decodeList(text); bad != nil {
		return 0, fmt.Errorf("its list of %d pieces cannot be written: %s", len(pieces), bad.Detail)
	}
	if err := errors.Join(disk.Rename(w.beside(partial.tail), w.beside(names.tail)), disk.Rename(w.beside(partial.head), w.beside(names.head))); err != nil {
		return 0, err
	}
	unused = names
	if err := disk.SyncDir(filepath.Dir(w.beside(here))); err != nil {
		return 0, err
	}
	if _, err := w.file.Write(text); err != nil {
		return 0, err
	}
	unused = ends{} // a list that names them may be there, whatever fails
	if err := w.publish(); err != nil {
		return 0, err
	}
	if len(old) > 0 {
		unused, old = ends{old[0].name, old[len(old)-1].name}, list
	}
	return int64(h.length), nil
}

// checkPieces returns an error unless pieces are those of a section, as they say.
func checkPieces(pieces []Piece, s section) error {
	sum := uint64(0)
	for i, p := range pieces {
		if err := checkPieceName(p.Name); err != nil {
			return fmt.Errorf("piece %d: %w", i, err)
		}
		if p.Bytes == 0 || p.Bytes > s.length-sum || p.Bytes%stretchSize != 0 && i < len(pieces)-1 {
			return fmt.Errorf("piece %d, %s, should have a multiple of %d bytes unless it is the last one, and at most the %d that are left of the section %q; it has %d",
				i, p.Name, stretchSize, s.length-sum, s.name, p.Bytes)
		}
		if want := (p.Bytes + stretchSize - 1) / stretchSize; uint64(len(p.Sums)) != want {
			return fmt.Errorf("piece %d, %s, should have %d checksums for %d bytes, and has %d", i, p.Name, want, p.Bytes, len(p.Sums))
		}
		sum += p.Bytes
	}
	if sum != s.length || len(pieces) == 0 {
		return fmt.Errorf("the section %q has %d bytes, and its %d pieces have %d together", s.name, s.length, len(pieces), sum)
	}
	return nil
}

// findPieces returns an error if a piece is not there.
func (w *Writer) findPieces(list []listed) error {
	dir, err := os.OpenRoot(filepath.Dir(w.path))
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, p := range list {
		file, err := openPiece(dir, p)
		if err != nil {
			return err
		}
		file.Close()
	}
	return nil
}

// ends are the names of the files before and behind the pieces.
type ends struct{ head, tail string }

// endsOf returns names for the ends of a file in pieces.
func endsOf(here, which string) ends { return ends{here + which + ".head", here + which + ".tail"} }

// oldList returns the list of pieces that has the path, if there is one.
func (w *Writer) oldList() []listed {
	file, err := os.Open(w.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	list, _ := readList(file) // it will be replaced, even if it is damaged
	return list
}

// beside returns the path of a piece.
func (w *Writer) beside(name string) string {
	return filepath.Join(filepath.Dir(w.path), filepath.FromSlash(name))
}

// writeEnd writes one of the ends and makes it durable.
func (w *Writer) writeEnd(name string, write func(file *disk.File) error) error {
	if err := disk.Remove(w.beside(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := disk.OpenFile(w.beside(name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if err = write(file); err == nil {
		err = file.Sync()
	}
	return cmp.Or(err, file.Close())
}

// removeEnds removes ends of Compose that are not in a list. If some stay, they do no harm.
func (w *Writer) removeEnds(here string, e ends, list []listed) {
	for _, name := range []string{e.head, e.tail} {
		if isEnd(here, name) && !slices.ContainsFunc(list, func(p listed) bool { return p.name == name }) {
			disk.Remove(w.beside(name))
		}
	}
}

// isEnd reports whether a name is one that Compose gives to an end.
func isEnd(here, name string) bool {
	rest, ok := strings.CutPrefix(name, here)
	return ok && madeEnd().MatchString(rest)
}

var madeEnd = lazy.Regexp(`^\.([0-9a-f]{8}|partial)\.(head|tail)$`)
