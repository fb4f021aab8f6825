//go:build family_2048 || family_threes

package builtin

import (
	"pagoda/family"
	"pagoda/family/numbertiles"
)

// Families returns the family of this program.
func Families() *family.Set { return family.NewSet(numbertiles.Families()...) }
