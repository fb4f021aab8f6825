// Package export writes tables in the formats that other programs read: CSV, JSON Lines, NPY for
// NumPy, and, in package parquet below it, Parquet. It also writes b-files, the tables of the OEIS. It does not know puzzles.
//
// A Table says what the columns are. A Writer takes one row after the other, in memory that does
// not grow with the rows. Close ends the table.
package export
