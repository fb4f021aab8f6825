package spacetest

import (
	"go/token"
	"regexp"

	"pagoda/statespace"
)

const lawFeatures = "a feature has a name of its own, and gives each state one number, whatever it was asked before"

var featureName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// features checks the numbers that a space knows about its states.
func (c *checker) features(states []statespace.Index) error {
	all := statespace.Features(c.sp)
	names := make(map[string]bool)
	for _, f := range all {
		if !featureName.MatchString(f.Name) || token.IsKeyword(f.Name) || names[f.Name] || f.About == "" {
			return c.brokenAll(lawFeatures, "the feature %q, %q: expected small letters, digits and _, no keyword of Go, another name than the others, and a description", f.Name, f.About)
		}
		if names[f.Name] = true; f.OfValues != nil {
			continue // there are no values without a file
		}
		values := make(map[statespace.Index]int64)
		value := f.New()
		for _, x := range states {
			values[x] = value(x)
		}
		// Another function, asked in the other direction, in turn with the first one.
		other := f.New()
		for i := len(states) - 1; i >= 0; i-- {
			x := states[i]
			if v, w := other(x), value(states[len(states)-1-i]); v != values[x] || w != values[states[len(states)-1-i]] {
				return c.broken(lawFeatures, x, "the feature %s is %d, and another time %d", f.Name, values[x], v)
			}
		}
	}
	return nil
}
