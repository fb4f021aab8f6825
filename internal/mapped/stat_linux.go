package mapped

import (
	"os"
	"syscall"
	"time"
)

func identityOf(info os.FileInfo) identity {
	id := identity{size: info.Size(), modified: info.ModTime()}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		id.device, id.inode, id.status = uint64(s.Dev), s.Ino, time.Unix(s.Ctim.Unix())
	}
	return id
}
