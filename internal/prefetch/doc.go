// Package prefetch brings memory into the processor's cache before it is needed.
package prefetch
