package puzzle

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pagoda/internal/disk"
	"pagoda/internal/lazy"
	"pagoda/internal/lists"
	"pagoda/internal/plaintext"
	"pagoda/internal/printable"
	"pagoda/internal/suggest"
	"pagoda/statespace"
	"pagoda/statespace/cells"
)

// maxText bounds what is read of a file that draws a puzzle.
const maxText = 1 << 20

// Lookup returns the space of a name: of one with its family, such as peg/5x7; or that a text
// file draws, whose path is given, or - for a text on stdin; or of a name without its family, such
// as 5x7. What comes first in this list is meant. When ctx ends, it stops soon and returns the
// cause.
func (s *Set) Lookup(ctx context.Context, name string, stdin io.Reader, o Choice) (statespace.Space, error) {
	var why error // the family knows no such name, and says more
	if first, _, ok := strings.Cut(name, "/"); ok {
		if f := s.Named(first); f != nil {
			sp, err := s.choose(f, name, o, func() (statespace.Space, error) { return f.Lookup(ctx, name, o) })
			if !errors.Is(err, statespace.ErrUnknown) {
				return sp, err
			}
			why = ifMore(err, name)
		}
	}
	title, text, err := ReadText(ctx, name, stdin)
	if NoFile(name, err) {
		if sp, bare := s.bare(ctx, name, o, why); errors.Is(err, fs.ErrNotExist) || !errors.Is(bare, statespace.ErrUnknown) {
			return sp, bare
		}
	}
	if err != nil {
		return nil, err
	}
	return s.Read(ctx, title, text, o)
}

// Read returns the space that a text draws. The title of the text is for messages, and the space is named after it.
func (s *Set) Read(ctx context.Context, title, text string, o Choice) (statespace.Space, error) {
	f := s.Reader(text)
	if f == nil {
		return nil, fmt.Errorf("%s draws no puzzle that this program knows", title)
	}
	sp, err := s.choose(f, title, o, func() (statespace.Space, error) { return f.Read(ctx, stem(title), text, o) })
	if err == nil && o.Told != nil && f.ReadAs != nil {
		as, chosen := f.ReadAs(text)
		o.Told(title, as, chosen)
	}
	return sp, InFile(title, err)
}

// NoFile reports whether ReadText has failed with an error as there is no file of this name, but
// perhaps a directory. Then it may be the name of a space without its family.
func NoFile(path string, err error) bool {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err != nil
	}
	info, statErr := os.Stat(path)
	return statErr == nil && info.IsDir()
}

// ifMore returns the error of a family that knows no space of a name if it says more than that, or nil.
func ifMore(err error, name string) error {
	before, ok := strings.CutSuffix(err.Error(), statespace.ErrUnknown.Error())
	if ok && strings.HasPrefix(name, strings.TrimSuffix(before, ": ")) {
		return nil
	}
	return err
}

// bare returns the space of a name without its family. Why, if not nil, is the error if there is none.
func (s *Set) bare(ctx context.Context, name string, o Choice, why error) (sp statespace.Space, err error) {
	var of *Family
	var names []string
	for _, f := range s.families {
		if f.Full {
			continue
		}
		found, e := f.Lookup(ctx, f.Name+"/"+name, o)
		switch {
		case errors.Is(e, statespace.ErrUnknown):
			if why == nil && len(s.families) == 1 && f.Read == nil { // it can be nothing else
				why = ifMore(e, f.Name+"/"+name)
			}
		case len(names) == 0 || err != nil && e == nil: // a space is better than an error
			of, sp, err, names = f, found, e, []string{f.Name + "/" + name}
		case err != nil || e == nil:
			names = append(names, f.Name+"/"+name)
		}
	}
	switch len(names) {
	case 0:
		return nil, s.unknown(ctx, name, o.Memory, why)
	case 1:
		return s.choose(of, names[0], o, func() (statespace.Space, error) { return sp, err })
	}
	return nil, fmt.Errorf("%.100q is the name of several spaces: choose %s", name, suggest.Either(names))
}

// Reader returns the family that a text is of: the first that claims it, or else the first
// that reads texts, which says what is wrong. It is nil if no family reads texts.
func (s *Set) Reader(text string) (reader *Family) {
	for _, f := range slices.Backward(s.families) {
		if f.Read != nil {
			reader = f
		}
	}
	for _, f := range s.families {
		if f.Read != nil && f.Reads(text) {
			return f
		}
	}
	return reader
}

// ReadAs says how an argument was read if it was a puzzle in one line without its family, which is then part of the
// name: 1A9BF0C00 of slide/1A9BF0C00; or if it leaves room for another reading. For other arguments it is empty.
func (s *Set) ReadAs(arg, name string) (as string, chosen bool) {
	first, text, _ := strings.Cut(name, "/")
	text, _, _ = strings.Cut(text, "@")
	if f := s.Named(first); f != nil && f.ReadAs != nil && f.Reads(text) {
		if as, chosen = f.ReadAs(text); chosen || strings.HasPrefix(arg, text) {
			return as, chosen
		}
	}
	return "", false
}

// choose makes a space of a family, if the family has all options that were chosen.
func (s *Set) choose(f *Family, name string, o Choice, makeSpace func() (statespace.Space, error)) (statespace.Space, error) {
	if err := s.Check(f, name, o); err != nil {
		return nil, err
	}
	return makeSpace()
}

// Check returns an error unless a family has all options that were chosen of a puzzle of this name.
func (s *Set) Check(f *Family, name string, o Choice) error {
	for _, chosen := range slices.Sorted(maps.Keys(o.Options)) {
		has := func(f *Family) bool {
			return slices.ContainsFunc(f.Options, func(option Option) bool { return option.Name == chosen })
		}
		if !has(f) {
			var others []string
			for _, g := range s.families {
				if has(g) {
					others = append(others, g.Name)
				}
			}
			err := fmt.Errorf("%s is of the family %s, which has no option %q", name, f.Name, chosen)
			if others != nil {
				err = fmt.Errorf("%w; that is for %s", err, strings.Join(others, ", "))
			}
			return err
		}
	}
	return nil
}

// unknown is the error of a name that is nothing. Why, if not nil, is what its family says of it.
func (s *Set) unknown(ctx context.Context, name string, memory uint64, why error) error {
	if f := s.Named(strings.TrimSuffix(name, "/")); f != nil {
		err := fmt.Errorf("%w %.100q: it is a family", statespace.ErrUnknown, name)
		if known := f.List(); len(known) > 0 {
			return fmt.Errorf("%w; its spaces have names such as %s", err, known[0].Name)
		}
		return err
	}
	meant := s.Suggest(ctx, name, memory)
	switch {
	case why != nil:
		return fmt.Errorf("%w%s", why, meant)
	case meant != "":
		return fmt.Errorf("%w %.100q%s", statespace.ErrUnknown, name, meant)
	}
	err := fmt.Errorf("%w %.100q: it is neither a known name nor a file that draws a puzzle", statespace.ErrUnknown, name)
	first, _, _ := strings.Cut(name, "/")
	if f := s.Named(first); f != nil && f.Naming != "" {
		err = fmt.Errorf("%w; %s", err, clause().FindString(strings.Join(strings.Fields(f.Naming), " ")))
	}
	return err
}

// clause matches how a text begins, up to the end of its first clause.
var clause = lazy.Regexp(`^([^;.]|\.[^ ])*`)

// size matches names that end in a size, however it is written.
var size = lazy.Regexp(`^(.*?)([0-9]+)[^0-9/]{1,3}([0-9]+)$`)

// Suggest asks for the space that is meant by a name that is nothing, to be put behind an error:
// "; did you mean peg/english?". The space is one of those that people should know, or has a size
// that is written as 5x7; its tables take no more memory than is given. It is empty if no name comes
// near.
func (s *Set) Suggest(ctx context.Context, name string, memory uint64) string {
	base, suffix, _ := strings.Cut(name, "@")
	if suffix != "" {
		suffix = "@" + suffix
	}
	written := "" // with the size as it should be
	if m := size().FindStringSubmatch(base); m != nil {
		written = strings.ToLower(m[1]) + m[2] + "x" + m[3]
	}
	first, rest, _ := strings.Cut(base, "/")
	rest = cmp.Or(rest, base)
	var names []string
	for _, f := range s.families {
		if n := strings.TrimPrefix(written, f.Name+"/"); n != "" {
			if _, err := f.Lookup(ctx, f.Name+"/"+n, Choice{Memory: memory}); err == nil {
				names = append(names, f.Name+"/"+n)
			}
		}
	}
	if f := s.Named(first); f != nil && names == nil {
		names = f.near(rest)
	}
	if names == nil { // the family may be wrong, or left out
		for _, f := range s.families {
			names = append(names, f.near(rest)...)
		}
	}
	if names == nil {
		return ""
	}
	for i := range names {
		names[i] += suffix
	}
	return "; did you mean " + suggest.Either(names) + "?"
}

// near returns the names of entries that come near to one without its family.
func (f *Family) near(name string) []string {
	if meant, ok := f.Also[strings.ToLower(name)]; ok {
		return []string{meant}
	}
	bare := lists.Map(f.List(), func(e Entry) string { return strings.TrimPrefix(e.Name, f.Name+"/") })
	return lists.Map(suggest.Words(name, bare), func(name string) string { return f.Name + "/" + name })
}

// ReadText returns the text of a file that draws a puzzle, or of stdin for -, and a name for
// messages. When ctx ends, it waits at a pipe no longer.
func ReadText(ctx context.Context, path string, stdin io.Reader) (name, text string, err error) {
	name, text, err = ReadUpTo(ctx, maxText, path, stdin)
	if errors.Is(err, errLarge) {
		err = fmt.Errorf("%s draws no puzzle: it is larger than 1 MiB", name)
	}
	return name, text, err
}

// errLarge says that a text is larger than it may be.
var errLarge = errors.New("the text is too large")

// ReadUpTo returns the text of a file of at most a number of bytes, or of stdin for -, and a name for
// messages.
func ReadUpTo(ctx context.Context, most int64, path string, stdin io.Reader) (name, text string, err error) {
	from := stdin
	if name = printable.Line(path); name == "-" {
		name = "stdin"
	} else {
		f, err := disk.OpenInput(ctx, path)
		if err != nil {
			return name, "", err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(plaintext.Reader(from), most+1))
	switch {
	case err == nil && int64(len(data)) > most:
		return name, "", fmt.Errorf("%s: %w: expected at most %d bytes", name, errLarge, most)
	case err == nil && bytes.IndexByte(data, 0) >= 0:
		return name, "", fmt.Errorf("%s is not a text: it has bytes 0; expected UTF-8, or UTF-16 with a byte order mark", name)
	}
	return name, string(data), err
}

// stem makes a name of a space of the path of a file.
func stem(path string) string {
	base := filepath.Base(path)
	return cmp.Or(strings.TrimSuffix(base, filepath.Ext(base)), base)
}

// InFile adds to an error in which file it is.
func InFile(name string, err error) error {
	var at *cells.SyntaxError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Col, at.Reason)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
