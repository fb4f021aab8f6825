// Package builtin is the families that the commands of this project know.
package builtin

import (
	"pagoda/family"
	"pagoda/family/lunarlockout"
	"pagoda/family/pegsolitaire"
	"pagoda/family/slidingblocks"
)

// Families returns the families, in the order in which help names them.
func Families() *family.Set {
	return family.NewSet(pegsolitaire.Family(), slidingblocks.Family(), lunarlockout.Family())
}
