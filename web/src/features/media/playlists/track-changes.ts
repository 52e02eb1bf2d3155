/** A change of the tracks of a playlist. It applies to the newest ones, which another device may have changed. */
export type TrackChange = (newest: readonly string[]) => readonly string[]

export function addition(id: string): TrackChange {
  return (newest) => (newest.includes(id) ? newest : [...newest, id])
}

/** Removes the track that the user sees at a position. */
export function removal(seen: readonly string[], position: number): TrackChange {
  return (newest) => {
    const place = placeOf(seen, position, newest)
    return place === -1 ? newest : newest.toSpliced(place, 1)
  }
}

/** Moves a track behind the one that it follows in what the user sees. */
export function movement(seen: readonly string[], from: number, to: number): TrackChange {
  return (newest) => {
    const place = placeOf(seen, from, newest)
    if (place === -1) return newest
    const [seenOthers, others] = [seen.toSpliced(from, 1), newest.toSpliced(place, 1)]
    let before = -1
    for (let last = to - 1; last >= 0 && before === -1; last--) before = placeOf(seenOthers, last, others)
    return others.toSpliced(before + 1, 0, newest[place] as string)
  }
}

/** Returns where a track is in the newest list; -1 if it is gone. A track may occur more than once. */
function placeOf(seen: readonly string[], position: number, newest: readonly string[]): number {
  const id = seen[position] as string
  const occurrence = seen.slice(0, position).filter((other) => other === id).length
  const places = newest.flatMap((other, place) => (other === id ? place : []))
  return places[occurrence] ?? places.at(-1) ?? -1
}
