package layers

import (
	"bytes"
	"cmp"
	"context"

	"pagoda/internal/mapped"
	"pagoda/statespace"
)

// Join writes an open file, which may lie in pieces, as one file, with the same bytes. It checks them against the
// checksums on the way. Progress, which may be nil, counts bytes. The file is put in place as a Writer does
// it, with the same errors; size is its length in bytes.
func Join(ctx context.Context, f *File, path string, overwrite bool, progress *statespace.Progress) (size int64, err error) {
	w, err := Create(path, f.Size(), overwrite)
	if err != nil {
		return 0, err
	}
	defer w.giveUp(&err)
	progress.Start(int64(f.Size()))
	const chunk = 64 * stretchSize
	var header []byte
	if err := mapped.Guard(func() error {
		data := f.mapped.Bytes()
		header = bytes.Clone(data[:pageSize])
		for at := uint64(pageSize); at < uint64(len(data)); at += chunk {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			end := min(at+chunk, uint64(len(data)))
			if err := f.checkRange(at, max(at, min(end, f.header.sums))-at); err != nil {
				return err
			}
			if _, err := w.file.WriteAt(data[at:end], int64(at)); err != nil {
				return cmp.Or(f.Intact(), err)
			}
			progress.Add(int64(end - at))
		}
		return nil
	}); err != nil {
		return 0, err
	}
	if err := w.settle(header); err != nil {
		return 0, err
	}
	return int64(f.Size()), nil
}
