package family

import (
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

	"pagoda/statespace"
)

// maxText bounds what is read of a file that draws a puzzle.
const maxText = 1 << 20

// Lookup returns the space of a name, such as peg/5x7; or the space that a text file draws,
// whose path is given, or - for a text on stdin. When ctx ends, it stops soon and returns the cause.
func (s *Set) Lookup(ctx context.Context, name string, stdin io.Reader, o Choice) (statespace.Space, error) {
	if first, _, ok := strings.Cut(name, "/"); ok {
		if f := s.Named(first); f != nil {
			sp, err := s.choose(f, name, o, func() (statespace.Space, error) { return f.Lookup(ctx, name, o) })
			if !errors.Is(err, statespace.ErrUnknown) {
				return sp, err
			}
		}
	}
	title, text, err := ReadText(name, stdin)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.unknown(name)
	}
	if err != nil {
		return nil, err
	}
	f := s.Reader(text)
	if f == nil {
		return nil, fmt.Errorf("%s draws no puzzle that this program knows", title)
	}
	sp, err := s.choose(f, title, o, func() (statespace.Space, error) { return f.Read(ctx, stem(title), text, o) })
	return sp, InFile(title, err)
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

// choose makes a space of a family, if the family has all options that were chosen.
func (s *Set) choose(f *Family, name string, o Choice, makeSpace func() (statespace.Space, error)) (statespace.Space, error) {
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
			return nil, err
		}
	}
	return makeSpace()
}

// unknown is the error of a name that is nothing.
func (s *Set) unknown(name string) error {
	meant := ""
	for _, e := range s.Entries() {
		if _, rest, _ := strings.Cut(e.Name, "/"); rest == name {
			meant = "; did you mean " + e.Name + "?"
		}
	}
	return fmt.Errorf("%w %.100q: it is neither a known name nor a file that draws a puzzle%s", statespace.ErrUnknown, name, meant)
}

// ReadText returns the text of a file that draws a puzzle, or of stdin for -, and a name for
// messages.
func ReadText(path string, stdin io.Reader) (name, text string, err error) {
	from := stdin
	if name = path; name == "-" {
		name = "stdin"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return name, "", err
		}
		defer f.Close()
		from = f
	}
	data, err := io.ReadAll(io.LimitReader(from, maxText+1))
	if err == nil && len(data) > maxText {
		err = fmt.Errorf("%s draws no puzzle: it is larger than 1 MiB", name)
	}
	return name, string(data), err
}

// stem makes a name of a space of the path of a file.
func stem(path string) string {
	base := filepath.Base(path)
	if stem := strings.TrimSuffix(base, filepath.Ext(base)); stem != "" {
		return stem
	}
	return base
}

// InFile adds to an error in which file it is.
func InFile(name string, err error) error {
	var at *statespace.SyntaxError
	switch {
	case errors.As(err, &at):
		return fmt.Errorf("%s:%d:%d: %s", name, at.Line, at.Col, at.Reason)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
