package cluster

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pagoda/cluster/beamrun"
)

// A job is some steps of a run.
type job struct {
	setting
	first int // level of the first step
	steps int
	start [][]byte // elements for the first step
	look  bool
}

// build makes the pipeline of a job.
func (j *job) build(s beam.Scope, lanes int) {
	in := divide(s, beam.Create(s, anyOf(j.start)...), lanes)
	var records []beam.PCollection
	for i := range j.steps {
		var out []beam.PCollection
		for lane, col := range in {
			s := beamrun.Lane(s, lane)
			shards := beam.GroupByKey(s, beam.ParDo(s, shardOf, col))
			next, done := beam.ParDo2(s, &step{setting: j.setting, Lanes: lanes, Level: j.first + i, Last: i == j.steps-1,
				Look: j.look}, shards)
			out, records = append(out, next), append(records, done)
		}
		if i < j.steps-1 {
			in = exchange(s, out, lanes)
		}
	}
	levels := beam.GroupByKey(s, beam.ParDo(s, levelOf, beam.Flatten(s, records...)))
	beam.ParDo0(s, &commit{j.setting}, levels)
}

func anyOf(elements [][]byte) (all []any) {
	for _, e := range elements {
		all = append(all, e)
	}
	return all
}

// divide divides elements by the lane of their shard.
func divide(s beam.Scope, col beam.PCollection, lanes int) []beam.PCollection {
	if lanes == 1 {
		return []beam.PCollection{col}
	}
	return beam.Partition(s, lanes, laneOf, col)
}

// exchange makes the input of the lanes from their output.
func exchange(s beam.Scope, out []beam.PCollection, lanes int) (in []beam.PCollection) {
	if lanes == 1 {
		return out
	}
	parts := make([][]beam.PCollection, lanes)
	for from, col := range out {
		for to, part := range divide(beamrun.Lane(s, from), col, lanes) {
			parts[to] = append(parts[to], part)
		}
	}
	for to, cols := range parts {
		in = append(in, beam.Flatten(beamrun.Lane(s, to), cols...))
	}
	return in
}
