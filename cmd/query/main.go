// Command query answers questions about the states in a file that reach has made.
package main

import (
	"os"

	"pagoda/family/builtin"
	"pagoda/internal/cli"
	"pagoda/internal/command"
	"pagoda/internal/web"
)

func main() {
	os.Exit(cli.Main(command.Query(builtin.Families(), web.Command), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
