// Package cluster enumerates puzzles on many machines, by Apache Beam. The files are those that
// one machine writes, byte for byte. Main makes a command line of some families of puzzles; Run
// is the job. docs/guides/cluster.md describes what a user sees.
//
// # How it works
//
// A run makes rounds, one after another, each of those before it. By layers, a round is a level of a
// breadth-first search, and its objects are the shards of the level: see package shards. By blocks, a
// round is a stage of the block sweep, and its objects are groups of blocks: see statespace.Feeds. Package
// storage keeps the objects where all workers can read them.
//
// The driver (run.go) submits jobs, each of some rounds, and reads their manifests. A manifest lists the objects
// of a round with their checksums; when it is there, the round is whole. All workers know the plan of
// the run, which follows from the space (space.go). Their steps are DoFns of Beam:
//
//   - step merges the successors of a shard, writes the shard and expands it (step.go, job.go);
//   - blockDoer makes a group of blocks (blocks.go, blockmaker.go, blockframes.go);
//   - commit writes the manifest of a round;
//   - spread, pieceMaker and blockDoer make the pieces of the file (piece.go, blocks.go).
//
// At the end, finish.go makes the file: layers.Compose of the pieces, or, where the file has more than these can
// say, package run from a checkpoint that is at its end.
//
// Package beamrun runs pipelines. It divides them into lanes on prism, the runner that is part of Beam for
// Go, so that each worker process has one.
package cluster
