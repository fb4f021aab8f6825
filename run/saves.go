//go:build !js

package run

// savesRuns says that runs can write checkpoints. In a browser they cannot, so that its programs are
// smaller: a tab that is closed begins again.
const savesRuns = true
