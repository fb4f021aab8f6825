package trie

import (
	"context"
	"fmt"
	"slices"
)

// Check looks at all words. It checks that every node below another is there, that there are as
// many members as States says, and that the trie is the minimal one, as Build makes it: no
// node stands for the empty or the full set, all nodes of a level differ, each is used, and they
// are numbered in the order in which the level above meets them. It takes the memory of the
// largest level, and 8 bytes a node for the counts, which Rank, Select and Count use again. When
// ctx ends, Check stops soon and returns the cause.
func (t *Trie) Check(ctx context.Context) error {
	if _, err := t.below(); err != nil {
		return err
	}
	top, highest := t.height(), 0
	if t.root > full {
		highest = 1 // the root alone
	}
	if found := len(t.levels[top]); found != highest {
		return t.notMinimal("%d nodes on the highest level, and uses %d", found, highest)
	}
	for k := top; k >= 0; k-- {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := t.checkLevel(k); err != nil {
			return err
		}
	}
	return nil
}

// checkLevel checks that the nodes of a level differ, and that those below are numbered as they
// are met.
func (t *Trie) checkLevel(k int) error {
	emptyNode, fullNode := uint64(empty), uint64(full)<<32|full
	if k == 0 {
		fullNode = ^uint64(0)
	}
	nodes := slices.Clone(t.levels[k])
	slices.Sort(nodes)
	for i, node := range nodes {
		if node == emptyNode || node == fullNode || i > 0 && node == nodes[i-1] {
			return t.notMinimal("the node %x on level %d, which stands for the empty or the full set or is there twice", node, k)
		}
	}
	if k == 0 {
		return nil
	}
	next := uint64(first)
	for _, node := range t.levels[k] {
		for _, id := range [2]uint64{uint64(uint32(node)), node >> 32} {
			if id > next {
				return t.notMinimal("node %d on level %d, met before node %d", id, k-1, next)
			}
			if id == next {
				next++
			}
		}
	}
	if stored := uint64(len(t.levels[k-1])); next-first != stored {
		return t.notMinimal("%d nodes on level %d, and uses %d", stored, k-1, next-first)
	}
	return nil
}

func (t *Trie) notMinimal(format string, args ...any) error {
	return fmt.Errorf("%w: it is not minimal: it has %s", ErrCorrupt, fmt.Sprintf(format, args...))
}
