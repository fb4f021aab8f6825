package family

// Commands is empty: a browser has no commands.
type Commands struct{}
