package run

const savesRuns = false
