// Package memory keeps the account of the memory that a command may take: the limit of --mem.
//
// The account is in the context of the command. What needs much memory takes a Share of the account
// first: package mapped does so for memory maps, and lists that grow do so by Append or Grow. So the sum
// of all parts stays within the limit, and what does not fit is an Error before it is allocated. The
// garbage collector gets the limit, too: without it, the heap grows to twice what is in use.
package memory

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/dustin/go-humanize"
)

// ErrFull is the error if something takes more memory than is allowed.
var ErrFull = errors.New("this takes more memory than is allowed")

// An Error says that something takes more memory than it may.
type Error struct {
	Name    string // of the space or the file
	Need    uint64 // bytes
	Most    string // what most of it is for, such as "256 MiB of it for a set"; may be empty
	Allowed uint64 // bytes
	Instead string // what takes less, such as "use the engine sweep"; may be empty
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s needs %s of memory", e.Name, EnoughBytes(e.Need))
	if e.Most != "" {
		text += ", " + e.Most
	}
	text += fmt.Sprintf("; the limit is %s: raise it", humanize.IBytes(e.Allowed))
	if e.Instead != "" {
		text += ", or " + e.Instead
	}
	return text
}

// Is makes it an ErrFull.
func (e *Error) Is(target error) bool { return target == ErrFull }

// EnoughBytes writes a number of bytes, rounded up: whoever allows what is written allows them.
func EnoughBytes(bytes uint64) string {
	for more := bytes; ; more += more/256 + 1 {
		text := humanize.IBytes(more)
		if read, err := humanize.ParseBytes(text); err != nil || read >= bytes {
			return text
		}
	}
}

// An account is what a command may take, and what it has taken.
type account struct {
	limit   uint64
	program uint64 // the part of the limit that the program takes by itself

	mu     sync.Mutex
	used   uint64
	mapped uint64 // of used, outside of the heap
	told   uint64 // mapped when the collector last got its limit
}

const (
	program = 16 << 20 // about what a program takes by itself
	code    = 12 << 20 // the part of it outside of the heap
	some    = 4 << 20  // the collector does not get smaller changes
	least   = 16 << 20 // with a smaller heap, the collector takes most of the time
)

type key struct{}

// With returns a context whose account has a limit, in bytes. A process has one account.
func With(ctx context.Context, limit uint64) context.Context {
	a := &account{limit: limit, program: min(program, limit/2)}
	a.tell()
	return context.WithValue(ctx, key{}, a)
}

// tell tells the collector how large the heap may become.
func (a *account) tell() {
	a.told = a.mapped
	heap := a.limit - min(a.limit, a.mapped+code)
	debug.SetMemoryLimit(int64(min(max(heap, least), math.MaxInt64)))
}

// set changes the number of bytes of a share.
func (a *account) set(s *Share, bytes uint64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if need := a.used - s.bytes + bytes + a.program; bytes > s.bytes && need > a.limit {
		return &Error{Name: "the command", Need: need, Most: fmt.Sprintf("%s of it for %s", humanize.IBytes(bytes), s.what), Allowed: a.limit, Instead: s.Instead}
	}
	a.used = a.used - s.bytes + bytes
	if s.mapped {
		a.mapped = a.mapped - s.bytes + bytes
		if max(a.mapped, a.told)-min(a.mapped, a.told) >= some {
			a.tell()
		}
	}
	s.bytes = bytes
	return nil
}

// A Share is what one part of a command has of the account.
type Share struct {
	Instead string // see Error

	account *account // or nil: nothing bounds it
	what    string
	mapped  bool
	bytes   uint64
}

// For returns an empty share of the account of a context. What says in errors what it is for: "the matches".
func For(ctx context.Context, what string) *Share {
	a, _ := ctx.Value(key{}).(*account)
	return &Share{account: a, what: what}
}

// Mapped is For, for memory outside of the heap.
func Mapped(ctx context.Context, what string) *Share {
	s := For(ctx, what)
	s.mapped = true
	return s
}

// Set changes the number of bytes of a share. If the account has no more, the error is an *Error, and the
// share is as before.
func (s *Share) Set(bytes uint64) error {
	if s == nil || s.account == nil || bytes == s.bytes {
		return nil
	}
	return s.account.set(s, bytes)
}

// Free gives back what a share has.
func (s *Share) Free() { s.Set(0) }

// Append is append for a list that is all its share is for.
func Append[T any](s *Share, list []T, x T) ([]T, error) {
	if len(list) == cap(list) {
		var err error
		if list, err = Grow(s, list, 1); err != nil {
			return list, err
		}
	}
	return append(list, x), nil
}

// Grow returns such a list with room for more elements. While it is copied, the share counts both copies.
func Grow[T any](s *Share, list []T, more int) ([]T, error) {
	if cap(list)-len(list) >= more {
		return list, nil
	}
	const first = 64
	size, room := uint64(unsafe.Sizeof(*new(T))), max(len(list)+more, len(list)+len(list)/2, first)
	if err := s.Set(size * uint64(cap(list)+room)); err != nil {
		return list, err
	}
	list = append(make([]T, 0, room), list...)
	return list, s.Set(size * uint64(cap(list)))
}
