package mapped

import (
	"fmt"
	"io"
	"os"
)

// OpenBeside maps whole files one after another, as if they were one file. None of them is empty, and
// the first has a multiple of 8 bytes. What does not lie on whole pages there is read into memory
// instead: see BytesRead.
func OpenBeside(list []*os.File) (*File, error) {
	m := new(File)
	sizes := make([]uint64, len(list))
	for i, f := range list {
		s, err := newSource(f)
		if err != nil {
			return nil, err
		}
		m.sources, sizes[i] = append(m.sources, s), uint64(s.at.length)
	}
	if err := m.mapBeside(list, sizes); err != nil {
		return nil, err
	}
	m.opened()
	return m, nil
}

// BytesRead returns how many bytes of files of some sizes OpenBeside reads into memory. They are few if all
// but the first file and the last two have whole pages. Where the system cannot map files beside each
// other, they are all bytes.
func BytesRead(sizes []uint64) (n uint64) {
	_, whole := beside(sizes)
	for i := range sizes {
		n += sizes[i] - whole[i]
	}
	return n
}

// beside returns how files of some sizes lie on pages one after another: the first begins at lead, and of
// each the first whole bytes can be mapped. A first file of less than a page ends a page, as a page may
// be larger than the header of a file.
func beside(sizes []uint64) (lead uint64, whole []uint64) {
	whole = make([]uint64, len(sizes))
	if page == 0 {
		return 0, whole
	}
	lead = -sizes[0] & (page - 1)
	at := lead
	for i, size := range sizes {
		if at%page == 0 {
			whole[i] = size &^ (page - 1)
		}
		at += size
	}
	return lead, whole
}

// mapBeside maps the files, and reads what cannot be mapped.
func (f *File) mapBeside(list []*os.File, sizes []uint64) (err error) {
	lead, whole := beside(sizes)
	end := lead
	for _, size := range sizes {
		if end += size; end > 1<<62 || uint64(int(end)) != end {
			return fmt.Errorf("%d files with more than %d bytes cannot be mapped", len(list), end-lead)
		}
	}
	if f.region, err = reserve(int(end)); err != nil {
		return fmt.Errorf("cannot get %d bytes of addresses: %w", end, err)
	}
	defer func() {
		if err != nil {
			f.region.free()
		}
	}()
	f.data = f.region[lead:end]
	at, ready := lead, uint64(0) // what lies before ready can be read
	for i, file := range list {
		if whole[i] > 0 {
			if err := mapAt(f.region, at, whole[i], file); err != nil {
				return fmt.Errorf("cannot map %s: %w", file.Name(), err)
			}
			ready = at + whole[i]
		}
		rest := f.region[at+whole[i] : at+sizes[i]]
		at += sizes[i]
		if len(rest) == 0 {
			continue
		}
		if ready < at {
			if ready, err = provide(f.region, ready, at); err != nil {
				return fmt.Errorf("cannot get %d bytes of memory: %w", len(rest), err)
			}
		}
		if _, err := io.ReadFull(io.NewSectionReader(file, int64(whole[i]), int64(len(rest))), rest); err != nil {
			return fmt.Errorf("cannot read %s: %w", file.Name(), err)
		}
	}
	return nil
}
