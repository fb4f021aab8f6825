// Package zstd compresses chunks of at most 1 MiB, for trie.Pack and for the packed stores of files. It is a
// package of its own because the library is large: a program in a browser does without.
package zstd

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

const most = 1 << 20 // bytes of a chunk

// One encoder and one decoder serve all: their tables are large. There are no errors, as the options are valid.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(most))
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(most), zstd.WithDecoderMaxWindow(most))
		return d
	})
)

// A Coder is a trie.Coder. It may be used by several goroutines at once.
type Coder struct{}

// EncodeAll appends the compressed chunk to dst.
func (Coder) EncodeAll(chunk, dst []byte) []byte { return encoder().EncodeAll(chunk, dst) }

// DecodeAll appends the chunk to dst.
func (Coder) DecodeAll(compressed, dst []byte) ([]byte, error) {
	return decoder().DecodeAll(compressed, dst)
}
