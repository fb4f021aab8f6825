package disk

import (
	"context"
	"io"
	"io/fs"
	"os"
)

// OpenInput opens a file to read it from its beginning. Nobody may ever write to a pipe: when ctx ends, a read of one gives up
// and returns the cause, also while the pipe is still being opened.
func OpenInput(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	read, write := io.Pipe()
	context.AfterFunc(ctx, func() { write.CloseWithError(context.Cause(ctx)) })
	go func() {
		file, err := os.Open(path)
		if err == nil {
			_, err = io.Copy(write, file)
			file.Close()
		}
		write.CloseWithError(err)
	}()
	return read, nil
}
