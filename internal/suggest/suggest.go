// Package suggest finds the word of a list that somebody has mistyped.
package suggest

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

const (
	// longest is the length of the longest word that a suggestion is sought for.
	longest = 60
	// most is how many words are suggested at most.
	most = 3
)

// Words returns those of a list that are meant by a word that is not in it: the nearest, if they
// are only a few letters away, or else those that begin with the word.
func Words(word string, list []string) (words []string) {
	word = strings.ToLower(word)
	length := utf8.RuneCountInString(word)
	if length == 0 || length > longest {
		return nil
	}
	nearest := math.MaxInt
	var longer []string
	for _, w := range list {
		lower := strings.ToLower(w)
		switch d := distance(word, lower); {
		case d < nearest && d <= tolerance(min(length, utf8.RuneCountInString(w))):
			nearest, words = d, []string{w}
		case d == nearest:
			words = append(words, w)
		case length > 1 && strings.HasPrefix(lower, word):
			longer = append(longer, w)
		}
	}
	if words == nil {
		words = longer
	}
	return words[:min(most, len(words))]
}

// distance is the number of letters to insert, leave out or change, where two letters that are
// swapped count as one.
func distance(word, meant string) int {
	least := levenshtein.ComputeDistance(word, meant)
	letters := []rune(word)
	for i := 1; i < len(letters); i++ {
		letters[i-1], letters[i] = letters[i], letters[i-1]
		least = min(least, 1+levenshtein.ComputeDistance(string(letters), meant))
		letters[i-1], letters[i] = letters[i], letters[i-1]
	}
	return least
}

// tolerance is how many letters of a word of a length may be wrong.
func tolerance(length int) int { return min(3, (length+1)/3) }

// Question asks for what was meant, to be put behind an error: "; did you mean steps or lines?".
// It is empty if no word of the list comes near.
func Question(word string, list []string) string {
	words := Words(word, list)
	if len(words) == 0 {
		return ""
	}
	return "; did you mean " + Either(words) + "?"
}

// Either writes a list of words: "a, b or c".
func Either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
