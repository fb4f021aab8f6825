// Package lazy compiles regular expressions when they are first used: a command uses few of them.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that returns the compiled expression. It panics if the expression is wrong.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
