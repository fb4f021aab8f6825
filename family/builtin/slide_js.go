//go:build family_slide

package builtin

import (
	"pagoda/family"
	"pagoda/family/slidingblocks"
)

// Families returns the family of this program.
func Families() *family.Set { return family.NewSet(slidingblocks.Family()) }
