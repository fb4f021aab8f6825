//go:build family_lunar

package builtin

import (
	"pagoda/family"
	"pagoda/family/lunarlockout"
)

// Families returns the family of this program.
func Families() *family.Set { return family.NewSet(lunarlockout.Family()) }
