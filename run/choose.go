package run

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"pagoda/internal/lists"
	"pagoda/layers"
	"pagoda/statespace"
)

// An Offer is what an engine offers to do of a job.
type Offer struct {
	Engine string `json:"engine"`
	Store  string `json:"store"`        // of the file, if there is to be one
	Memory uint64 `json:"memory_bytes"` // what the run takes, about
	Most   string `json:"-"`            // what most of it is for
	Turn   Turn   `json:"turn"`
	// Refused is why the engine cannot do the job; empty if it can.
	Refused string `json:"refused,omitempty"`

	refused error
	method  *method
	store   layers.Store
}

// A Turn is the place of an offer among others: the least is taken, and of equal ones the first.
type Turn int

// The turns.
const (
	Fits       Turn = iota // it fits into memory
	FewStates              // it lists the states, and they are few of very many numbers
	FitsDearly             // it fits into memory, and takes much
	Searches               // it searches for a path without listing states
	Lists                  // it lists the states, as the numbers fit into no memory of this machine
	TooLarge               // it needs more memory than is allowed
	Spare                  // it lists the states, which is not needed
	ByName                 // it is chosen by its name only
	Refused                // it cannot do the job
)

var turns = [...]string{"fits", "few states", "fits, and takes much", "searches", "lists the states", "too large", "not needed", "only by its name", "refused"}

// String describes the turn in a few words.
func (t Turn) String() string { return turns[t] }

// MarshalText implements encoding.TextMarshaler.
func (t Turn) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Offers lists what the engines of the program offer to do of a job, best first. It enumerates nothing,
// but may look whether few of very many numbers are states.
func Offers(ctx context.Context, sp statespace.Space, o Options) ([]*Offer, error) {
	j := &job{Options: o.fill(), sp: sp}
	return j.offers(ctx)
}

// offers is Offers.
func (j *job) offers(ctx context.Context) (all []*Offer, err error) {
	all = lists.Map(j.methods(), j.offer)
	err = j.placeList(ctx, all)
	slices.SortStableFunc(all, func(a, b *Offer) int { return cmp.Compare(a.Turn, b.Turn) })
	return all, err
}

// offer returns the offer of a method. It changes nothing.
func (j *job) offer(m *method) *Offer {
	own := *j
	own.engine = m
	o := &Offer{Engine: m.name, method: m, Turn: Refused}
	if own.store, o.refused = own.storeOf(m); o.refused == nil {
		o.refused = own.takeOptions()
	}
	if o.refused != nil {
		o.Refused = o.refused.Error()
		return o
	}
	o.store, o.Store = own.store, own.store.Name
	o.Memory, o.Most = own.need()
	switch {
	case m.kind == named && (j.Store == "" || j.Store != m.store): // a store asks for its engine, too
		o.Turn = ByName
	case m.kind == listing:
		o.Turn = Spare
	case o.Memory > MemoryLimit(j.Memory):
		o.Turn = TooLarge
	case m.finds:
		o.Turn = Searches
	case m.dear:
		o.Turn = FitsDearly
	default:
		o.Turn = Fits
	}
	return o
}

// placeList finds the turn of an offer to list the states. It always fits, as the list may lie on the disk. So
// it has its turn when nothing else does the job, when few of very many numbers are states, and when the
// numbers fit into no memory of this machine, unless the states are plainly too many for a list, as of a full board. If
// more memory would do, it is left to the caller to allow it.
func (j *job) placeList(ctx context.Context, all []*Offer) error {
	least := Refused
	var best, list *Offer
	for _, o := range all {
		switch {
		case o.Turn == Spare:
			list = cmp.Or(list, o)
		case o.Turn < Spare:
			least, best = min(least, o.Turn), cmp.Or(best, o)
		}
	}
	switch {
	case list == nil || least == Fits || least == Searches:
		return nil
	case best == nil:
		list.Turn = Fits
		return nil
	case list.Memory > MemoryLimit(j.Memory):
		return nil
	}
	few, many, err := list.method.few(ctx, j)
	j.many = many
	switch {
	case few:
		list.Turn = FewStates
	case !many && least == TooLarge && best.Memory > MemoryLimit(0) && MemoryLimit(j.Memory) >= listMemory && withoutFile(all) == nil:
		list.Turn = Lists
	}
	return err
}

// withoutFile returns why an engine that is made for the space cannot write the file; nil if none is refused for it.
func withoutFile(all []*Offer) error {
	for _, o := range all {
		if o.Turn == Refused && o.method.noFile != "" {
			return o.refused
		}
	}
	return nil
}

// listMemory is what an engine that lists the states should have when nobody has asked for it.
const listMemory = 80 << 20

// newJob chooses the engine and the store.
func newJob(ctx context.Context, sp statespace.Space, o Options) (*job, error) {
	j := &job{Options: o.fill(), sp: sp}
	d := sp.Definition()
	for i, text := range []json.RawMessage{d.Puzzle, d.Numbering} {
		if text != nil && !json.Valid(text) {
			return nil, fmt.Errorf("%s: the %s of its Definition is no JSON, which a file must have: %.100q", sp.Name(), []string{"Puzzle", "Numbering"}[i], text)
		}
	}
	if j.Output == "" && o.Store != "" {
		return nil, optionError("the store %s is for a file, and the run writes none: name a file, or choose no store", o.Store)
	}
	return j, j.choose(ctx)
}

// choose takes the offer of the engine that is named, or the best one.
func (j *job) choose(ctx context.Context) error {
	if j.Store != "" {
		if _, err := findStore(j.sp, j.Store); err != nil {
			return err
		}
	}
	if j.Engine != "" {
		m, err := j.findEngine(j.Engine)
		if err != nil {
			return err
		}
		return j.take(j.offer(m))
	}
	all, err := j.offers(ctx)
	if err != nil {
		return err
	}
	usable := slices.IndexFunc(all, func(o *Offer) bool { return o.Turn >= ByName })
	if usable == 0 || len(all) == 0 {
		if i := slices.IndexFunc(all, func(o *Offer) bool { return o.refused != nil }); i >= 0 {
			return all[i].refused
		}
		return optionError("this program has no engine for %s: see run.Use", j.sp.Name())
	}
	first := all[0]
	if first.Turn == TooLarge {
		if err := withoutFile(all); err != nil {
			return err
		}
	}
	if first.method.kind == listing && j.Store == "" {
		j.bounded, j.warns = true, first.Turn == Lists
		if i := slices.IndexFunc(all, func(o *Offer) bool { return o.Turn < Spare && o.method.kind != listing }); i >= 0 {
			j.insteadOf = all[i]
		}
	}
	return j.take(first)
}

// take makes the job that of an offer.
func (j *job) take(o *Offer) error {
	j.engine, j.store = o.method, o.store
	if o.method.threads > 0 {
		j.Threads = min(j.Threads, o.method.threads)
	}
	return o.refused
}

// storeOf returns the store of a file that a method makes: the one that was chosen, or its best.
func (j *job) storeOf(m *method) (store layers.Store, err error) {
	switch {
	case j.inMemory:
		return store, nil
	case j.Output != "" && m.noFile != "":
		return store, optionError("%s", m.noFile)
	}
	store, err = findStore(j.sp, cmp.Or(j.Store, m.bestStore(j.sp)))
	if err == nil && j.Store != "" && !m.makes(store) {
		err = optionError("the engine %s of %s does not make the store %s: use the store %s, and convert it", m.name, j.sp.Name(), store.Name, m.bestStore(j.sp))
	}
	return store, err
}

// takeOptions takes over what the options say to the engine.
func (j *job) takeOptions() error {
	switch {
	case j.engine.options != nil:
		return j.engine.options(j)
	case j.Own != nil:
		return j.Own.refused(j.sp, j.engine.name)
	}
	return nil
}
