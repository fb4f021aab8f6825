package ask

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"pagoda/bitset"
	"pagoda/statespace"
)

// A Reach says whether a pattern can be reached, and why not.
type Reach struct {
	Pattern   string `json:"pattern"`
	Reachable bool   `json:"reachable"`
	// Reason is one of those below when it cannot.
	Reason string `json:"reason,omitempty"`

	State  statespace.Index `json:"-"`
	Detail string           `json:"-"` // the reason for people
}

// Why a pattern cannot be reached.
const (
	Class     = "class"     // it differs from the start in something that no move changes
	Outside   = "outside"   // it has no number for another reason
	Unreached = "unreached" // it has a number, but is never reached
	Via       = "via"       // the state that the path was to go through cannot be reached
	Goal      = "goal"      // no goal can be reached
)

// Has says whether a state can be reached. A text that is no state is an ErrQuestion.
func (f *File) Has(pattern string) (r Reach, err error) {
	err = f.Read(func() error {
		r, err = reach(f.Members(), f.Space(), pattern)
		return err
	})
	return r, err
}

func reach(members bitset.Reader, sp statespace.Space, pattern string) (Reach, error) {
	r := Reach{Pattern: pattern}
	x, err := sp.Parse(pattern)
	if errors.Is(err, statespace.ErrUnlisted) {
		r.Reason, r.Detail = Unreached, unlisted(sp, pattern)
		return r, nil
	}
	if errors.Is(err, statespace.ErrOutside) {
		r.Reason, r.Detail = Outside, err.Error()
		if errors.Is(err, statespace.ErrClass) {
			r.Reason = Class
		}
		return r, nil
	}
	if err != nil {
		return r, BadPattern(pattern, err)
	}
	r.State = x
	if r.Reachable, err = bitset.Has(members, x); !r.Reachable {
		r.Reason, r.Detail = Unreached, whyNot(sp, x)
	}
	return r, err
}

// whyNot says why a state with a number is not reached.
func whyNot(sp statespace.Space, x statespace.Index) string {
	p := sp.Parts()
	if p.Texts.WhyNot != nil {
		return p.Texts.WhyNot(x)
	}
	detail := "not reached from the start"
	if !p.Undirected {
		detail = "of the class of the start, but not reached from it"
	}
	if p.Goals.Ends {
		detail += " before the nearest goal"
	}
	return detail
}

// unlisted says why a state is not reached that the table of a space lacks.
func unlisted(sp statespace.Space, pattern string) string {
	if codes := sp.Parts().Codes; codes.Number != nil {
		if x, err := codes.Of.Parse(pattern); err == nil {
			return whyNot(codes.Of, x)
		}
	}
	detail := "not reached from the start"
	if sp.Parts().Goals.Ends {
		detail += " before the nearest goal"
	}
	return detail
}

// WriteText writes the answer for people.
func (r *Reach) WriteText(w io.Writer) error {
	pattern := strings.NewReplacer("\r\n", "/", "\n", "/").Replace(r.Pattern)
	var err error
	if r.Reachable {
		_, err = fmt.Fprintf(w, "yes  %s\n", pattern)
	} else {
		_, err = fmt.Fprintf(w, "no   %s  (%s)\n", pattern, r.Detail)
	}
	return err
}
