package run

import "context"

// A browser does not pack blocks: what would need that is not for it, and the program is smaller.

func (j *job) packs() bool                               { return false }
func (j *job) packedNeed() uint64                        { return 0 }
func (j *job) besidePacked() uint64                      { return 0 }
func (j *job) packing() *Packing                         { return nil }
func (j *job) roomAdvice(err error) error                { return err }
func (r *blockRun) openPacked(ctx context.Context) error { return nil }
