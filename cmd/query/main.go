// Command query answers questions about the states in a file that reach has made.
package main

import (
	"os"

	"pagoda/cli/builtin"
	"pagoda/cli/serve"
	"pagoda/internal/console"
)

func main() {
	p := builtin.Program()
	p.More = append(p.More, serve.Command)
	os.Exit(console.Main(p.Query(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
