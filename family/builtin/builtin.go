// Package builtin is the families that the commands of this project know.
package builtin

import (
	"pagoda/family"
	"pagoda/family/lunarlockout"
	"pagoda/family/numbertiles"
	"pagoda/family/pegsolitaire"
	"pagoda/family/slidingblocks"
)

// Families returns the families, in the order in which help names them. The first family that claims a
// text reads it. Sliding blocks claim many, and come last.
func Families() *family.Set {
	all := []*family.Family{pegsolitaire.Family(), lunarlockout.Family()}
	all = append(all, numbertiles.Families()...)
	return family.NewSet(append(all, slidingblocks.Family())...)
}
