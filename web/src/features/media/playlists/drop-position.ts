/** Where an item that stood at `from` ends up when it is dropped at the upper or the lower edge of the one at `over`. */
export function dropPosition(from: number, over: number, isBelow: boolean): number {
  const gap = isBelow ? over + 1 : over
  // Taking it out has moved what is behind it one up.
  return from < gap ? gap - 1 : gap
}
