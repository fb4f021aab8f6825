package numbertiles

import "pagoda/family"

// forCommands returns nothing: a browser has no commands.
func forCommands(string) (none family.Commands) { return none }
