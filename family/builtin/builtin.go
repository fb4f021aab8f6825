//go:build !js

// Package builtin is the families that the commands of this project know.
//
// A program for the browser has one family, so that it is small. A build tag chooses it: family_ and the
// name of the family.
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
