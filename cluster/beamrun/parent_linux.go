package beamrun

import (
	"os/exec"
	"syscall"
)

// endWithParent ends a process when this one is killed.
func endWithParent(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
