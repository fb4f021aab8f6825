//go:build !js || chance

package run

import "pagoda/statespace/chance"

func (j *job) openChance() (_ enumeration, err error) {
	if j.from != nil && j.from.Meta().Checkpoint.Chance == nil {
		return nil, otherDivision(j.from)
	}
	r := &chanceRun{job: j}
	defer closeOnError(r, &err)
	if r.writer, err = j.create(); err != nil {
		return nil, err
	}
	r.keep = j.from != nil
	limit := MemoryLimit(j.Memory)
	r.solver, err = chance.New(j.sp.Parts().Chance, chance.Options{Objectives: j.objectives, Threads: j.Threads, Memory: limit - min(limit-1, program), Dir: j.levelsDir(),
		Counted: len(j.objectives) == 0 && j.levelsDir() == ""})
	return r, err
}
