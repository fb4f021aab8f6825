//go:build family_peg

package builtin

import (
	"pagoda/family"
	"pagoda/family/pegsolitaire"
)

// Families returns the family of this program.
func Families() *family.Set { return family.NewSet(pegsolitaire.Family()) }
