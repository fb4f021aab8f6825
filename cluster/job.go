package cluster

import (
	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"pagoda/cluster/beamrun"
	"pagoda/internal/lists"
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
	made := [][]beam.PCollection{{create(s, j.start)}}
	var records []beam.PCollection
	for i := range j.steps {
		shards := group(s, made, lanes)
		made = make([][]beam.PCollection, lanes)
		for lane, col := range shards {
			next, done := beam.ParDo2(beamrun.Lane(s, lane), &step{setting: j.setting, Lanes: lanes, Level: j.first + i, Last: i == j.steps-1,
				Look: j.look}, col)
			made[lane], records = append(made[lane], next), append(records, done)
		}
	}
	s = beamrun.Lane(s, 0)
	beam.ParDo(s, &commit{setting: j.setting}, beam.GroupByKey(s, beam.ParDo(s, split, beam.Flatten(s, records...))))
}

// create returns elements that the driver has made.
func create(s beam.Scope, elements [][]byte) beam.PCollection {
	all := lists.Map(elements, func(e []byte) any { return e })
	return beam.Create(beamrun.Lane(s, 0), all...)
}

// group brings the elements of each key together, in the lane that they are for. Made has what each lane
// has made.
func group(s beam.Scope, made [][]beam.PCollection, lanes int) (grouped []beam.PCollection) {
	parts := make([][]beam.PCollection, lanes)
	for from, cols := range made {
		s := beamrun.Lane(s, from)
		for _, col := range cols {
			all := []beam.PCollection{col}
			if lanes > 1 {
				all = beam.Partition(s, lanes, laneOf, col)
			}
			// What splits elements is in the lane that has made them: so it is done in the same bundle.
			for to, part := range all {
				parts[to] = append(parts[to], beam.ParDo(s, split, part))
			}
		}
	}
	for to, cols := range parts {
		s := beamrun.Lane(s, to)
		grouped = append(grouped, beam.GroupByKey(s, beam.Flatten(s, cols...)))
	}
	return grouped
}
