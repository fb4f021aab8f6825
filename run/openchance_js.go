//go:build !chance

package run

import "errors"

// openChance fails: a program in a browser is for one family, and the tag chance is for those that need it.
func (j *job) openChance() (enumeration, error) {
	return nil, errors.New("this program solves no games against chance")
}
