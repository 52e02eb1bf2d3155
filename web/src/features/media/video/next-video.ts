/** The video after one: with shuffle a random other one, else the next, and after the last the first (specification, section 4). */
export function nextVideo(
  index: number,
  count: number,
  isShuffled: boolean,
  random: () => number = Math.random,
): number {
  if (count < 2) return 0
  if (!isShuffled) return (index + 1) % count
  const drawn = Math.floor(random() * (count - 1))
  return drawn < index ? drawn : drawn + 1
}

export function previousVideo(index: number, count: number): number {
  return count === 0 ? 0 : (index - 1 + count) % count
}
