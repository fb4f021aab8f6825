// Package twenty48 has the rules of 2048.
package twenty48
