package slide

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"pagoda/internal/console"
	"pagoda/internal/journal"
	"pagoda/layers"
	"pagoda/studies/hardest"
)

// A findHeader is the first record of a checkpoint of find: what its parts are of. A strict search is part
// of a loose one, so one checkpoint serves both.
type findHeader struct {
	Format    string `json:"format"`
	Board     string `json:"board"`
	Metric    string `json:"metric"`
	From      string `json:"from"`
	To        string `json:"to"`
	Pieces    string `json:"pieces"`
	PartLimit uint64 `json:"part_limit"` // as it was when the search began
}

// findFormat is the format of checkpoints of find; findFormats is the prefix that all versions share.
const (
	findFormat  = findFormats + "2"
	findFormats = "pagoda find "
)

// differs says how a header differs from that of a search.
func (h findHeader) differs(found findHeader) string {
	for _, f := range []struct{ what, want, found string }{
		{"format", h.Format, found.Format},
		{"board", h.Board, found.Board},
		{"metric", h.Metric, found.Metric},
		{"from", h.From, found.From},
		{"to", h.To, found.To},
		{"pieces", h.Pieces, found.Pieces},
	} {
		if f.want != f.found {
			return fmt.Sprintf("its %s is %.100q, expected %.100q", f.what, f.found, f.want)
		}
	}
	return ""
}

// A findKeep keeps the results of the parts of a search in a checkpoint.
type findKeep struct {
	journal *journal.Journal
	release func()
	problem *hardest.Problem
	known   map[string]hardest.Result

	mu sync.Mutex // of journal
}

// openKeep opens the checkpoint of a search, or begins one, and sets the limit of parts to that of the
// checkpoint. The file must be closed.
func openKeep(path string, p *hardest.Problem, h findHeader) (k *findKeep, limit uint64, err error) {
	k = &findKeep{problem: p, known: make(map[string]hardest.Result)}
	if k.release, err = layers.Claim(path + ".lock"); err != nil {
		return nil, 0, fmt.Errorf("cannot use the checkpoint %s: %w", path, err)
	}
	begun := false
	k.journal, err = journal.Open(path, func(record json.RawMessage) error {
		if begun {
			part, r, err := p.ParseRecord(record)
			k.known[part] = r
			if err != nil {
				err = fmt.Errorf("the checkpoint is damaged: %w; remove it, or name another file with --checkpoint", err)
			}
			return err
		}
		begun = true
		var found findHeader
		d := json.NewDecoder(bytes.NewReader(record))
		d.DisallowUnknownFields()
		// Another version may have other fields after the format.
		if err := d.Decode(&found); !strings.HasPrefix(found.Format, findFormats) || found.Format == findFormat && (err != nil || found.PartLimit == 0) {
			return errors.New("it is no checkpoint of find: name another file with --checkpoint")
		}
		if text := h.differs(found); text != "" {
			return console.Usagef("it is the checkpoint of another search: %s; name another file with --checkpoint, or remove this one", text)
		}
		h.PartLimit = found.PartLimit
		return nil
	})
	if err == nil && !begun {
		err = k.journal.Append(h)
	}
	if err != nil {
		k.close()
		return nil, 0, err
	}
	return k, h.PartLimit, nil
}

// keep adds the result of a part. It is hardest.Options.Keep.
func (k *findKeep) keep(part string, r hardest.Result) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.journal.Append(k.problem.Record(part, r)); err != nil {
		return fmt.Errorf("the checkpoint cannot be written: %w", err)
	}
	return nil
}

// result is hardest.Options.Known.
func (k *findKeep) result(part string) (hardest.Result, bool) {
	r, ok := k.known[part]
	return r, ok
}

// close closes the checkpoint.
func (k *findKeep) close() error {
	defer k.release()
	if k.journal == nil {
		return nil
	}
	return k.journal.Close()
}
