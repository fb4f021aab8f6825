package player

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// A network file is refused or read, and what is read is written as it was, whatever the bytes are.
func FuzzNetwork(f *testing.F) {
	g, err := New2048(2, 2, 0.1)
	if err != nil {
		f.Fatal(err)
	}
	n, err := NewNetwork(g, 1, 0)
	if err != nil {
		f.Fatal(err)
	}
	var fresh, trained bytes.Buffer
	if err := n.Write(&fresh); err != nil {
		f.Fatal(err)
	}
	if err := n.Train(f.Context(), g, Training{Games: 3, Seed: 1, Threads: 1}); err != nil {
		f.Fatal(err)
	}
	if err := n.Write(&trained); err != nil {
		f.Fatal(err)
	}
	f.Add(fresh.Bytes())
	f.Add(trained.Bytes())
	f.Add([]byte(networkMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4 { // with a right checksum the fuzzer gets behind it
			data = bytes.Clone(data)
			body := data[:len(data)-4]
			binary.LittleEndian.PutUint32(data[len(body):], crc32.Checksum(body, castagnoli))
		}
		n, err := ReadNetwork(bytes.NewReader(data), g, 0)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := n.Write(&again); err != nil {
			t.Fatal(err)
		}
		m, err := ReadNetwork(&again, g, 0)
		if err != nil || m.value(0x11) != n.value(0x11) || m.Moves() != n.Moves() {
			t.Errorf("a network that was read and written is another: %v", err)
		}
	})
}
