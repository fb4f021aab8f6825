// Package builtin is the families that the commands of this project know.
package builtin

import (
	"pagoda/family"
	"pagoda/family/lunarlockout"
	"pagoda/family/pegsolitaire"
	"pagoda/family/slidingblocks"
)

// Families returns the families, in the order in which help names them. The first family that claims a
// text reads it. Lunar Lockout claims few texts, and comes before sliding blocks, which claim many.
func Families() *family.Set {
	return family.NewSet(pegsolitaire.Family(), lunarlockout.Family(), slidingblocks.Family())
}
