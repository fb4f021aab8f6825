// Drawings to begin with, in the editor of trays and on the page of one's own levels.

// npuzzle returns the text of an n-puzzle whose tiles are in order.
export function npuzzle(rows, cols) {
  const names = [...'123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].slice(0, rows * cols - 1);
  const grid = Array.from({ length: rows }, (_, r) => names.slice(r * cols, (r + 1) * cols).join('').padEnd(cols, '.')).join('\n');
  return `tray:\n${grid}\ndistinct: ${names.join(' ')}\ngoal:\n${grid}\n`;
}

export const templates = [
  { name: 'Rush Hour, 6×6', text: 'tray:\n......\n......\nXX....\n......\n......\n......\nrushhour:\ngoal:\n......\n......\n....XX\n......\n......\n......\n' },
  { name: 'Klotski, 4×5', text: 'tray:\n.AA.\n.AA.\n....\n....\n....\ngoal:\n....\n....\n....\n.AA.\n.AA.\n' },
  { name: '8-puzzle, 3×3', text: npuzzle(3, 3) },
  { name: '15-puzzle, 4×4', text: npuzzle(4, 4) },
  { name: 'An empty tray', text: 'tray:\n.....\n.....\n.....\n.....\n.....\n' },
];
