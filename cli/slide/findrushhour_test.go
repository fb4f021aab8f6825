package slide

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"pagoda/internal/console"
	"pagoda/internal/journal"
	"pagoda/studies/rushhour/census"
)

// A checkpoint that was cut short, or in which a bit was flipped, is refused.
func TestReadStates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	if s, err := readStates(t.Context(), path); s != nil || err != nil {
		t.Errorf("without a file: %v, %v", s, err)
	}
	var whole bytes.Buffer
	if err := journal.Write(&whole, rushHourCheckpoint{rushHourFormat, &census.State{Least: 1, Most: 5, Done: []uint64{3}}}); err != nil {
		t.Fatal(err)
	}
	read := func(data []byte) ([]*census.State, error) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return readStates(t.Context(), path)
	}
	if s, err := read(whole.Bytes()); err != nil || len(s) != 1 || s[0].Most != 5 || s[0].Done[0] != 3 {
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
	if s, err := read(bytes.Repeat(whole.Bytes(), 2)); err != nil || len(s) != 2 {
		t.Errorf("two records: %v, %v", s, err)
	}
	var none bytes.Buffer
	if err := journal.Write(&none, rushHourCheckpoint{Format: rushHourFormat}); err != nil {
		t.Fatal(err)
	}
	if s, err := read(append(whole.Bytes(), none.Bytes()...)); s != nil || err == nil || console.IsUsage(err) {
		t.Errorf("a record without a state: %v, %v", s, err)
	}
	var other bytes.Buffer
	if err := journal.Write(&other, rushHourCheckpoint{"pagoda find rush-hour 0", &census.State{}}); err != nil {
		t.Fatal(err)
	}
	if s, err := read(other.Bytes()); s != nil || err == nil || console.IsUsage(err) {
		t.Errorf("of another format: %v, %v", s, err)
	}
}

// A search with walls goes on from a checkpoint that was cut behind any set of walls, and finds the same.
func TestContinueWalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	z := census.Size{Rows: 3, Cols: 4, Exit: 1}
	find := func() []*census.Tally {
		o := &rushHourFind{findOptions: &findOptions{checkpoint: path}, Options: census.Options{Least: 2, Most: z.MostVehicles()}, sizes: z.WithWalls(1)}
		var err error
		if o.states, err = readStates(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		tallies, err := o.search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return tallies
	}
	want := find()
	whole, err := os.ReadFile(path)
	if err != nil || len(want) != 12 || bytes.Count(whole, []byte("\n")) != 12 {
		t.Fatalf("%d tallies, and a checkpoint of %d bytes, %v", len(want), len(whole), err)
	}
	for i, c := range whole {
		if c != '\n' {
			continue
		}
		if err := os.WriteFile(path, whole[:i+1], 0o666); err != nil {
			t.Fatal(err)
		}
		if got := find(); !reflect.DeepEqual(got, want) {
			t.Errorf("from %d bytes, it finds something else", i+1)
		}
		if again, err := os.ReadFile(path); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("from %d bytes, the checkpoint is another, %v", i+1, err)
		}
	}
}
