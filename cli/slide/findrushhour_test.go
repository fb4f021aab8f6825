package slide

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"pagoda/internal/console"
	"pagoda/internal/journal"
	"pagoda/studies/rushhour/census"
)

// A checkpoint that was cut short, or in which a bit was flipped, is refused.
func TestReadState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	if s, err := readState(t.Context(), path); s != nil || err != nil {
		t.Errorf("without a file: %v, %v", s, err)
	}
	var whole bytes.Buffer
	if err := journal.Write(&whole, rushHourCheckpoint{rushHourFormat, &census.State{Least: 1, Most: 5, Done: []uint64{3}}}); err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) (*census.State, error) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return readState(t.Context(), path)
	}
	if s, err := read(whole.Bytes()); err != nil || s.Most != 5 || s.Done[0] != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range whole.Len() {
		if s, err := read(whole.Bytes()[:i]); s != nil || err == nil || console.IsUsage(err) {
			t.Errorf("cut at %d: %v, %v", i, s, err)
		}
		flipped := bytes.Clone(whole.Bytes())
		flipped[i] ^= 4
		if s, err := read(flipped); s != nil || err == nil || console.IsUsage(err) {
			t.Errorf("flipped at %d: %v, %v", i, s, err)
		}
	}
	var other bytes.Buffer
	if err := journal.Write(&other, rushHourCheckpoint{"pagoda find rush-hour 0", &census.State{}}); err != nil {
		t.Fatal(err)
	}
	if s, err := read(other.Bytes()); s != nil || err == nil || console.IsUsage(err) {
		t.Errorf("of another format: %v, %v", s, err)
	}
}
