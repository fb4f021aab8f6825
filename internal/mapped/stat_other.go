//go:build !linux && !darwin

package mapped

import "os"

func identityOf(info os.FileInfo) identity {
	return identity{size: info.Size(), modified: info.ModTime()}
}
