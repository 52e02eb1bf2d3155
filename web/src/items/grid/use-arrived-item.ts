import { useEffect, useEffectEvent, useState } from 'react'
import { type ItemList, indexOfItem } from '../lists/item-lists.ts'
import { FIRST_ITEM } from './arrival.ts'

/** How long the item that the user was led to is marked. */
const MARKED_FOR = 1600

/**
 * Leads to the item that the user wanted to see, once for each `key`, as soon as it has been loaded. Gives whether it
 * is still looked for.
 */
export function useArrivedItem(
  list: ItemList,
  arrivalId: string | undefined,
  key: string | undefined,
  onArrive: (index: number) => void,
): boolean {
  const [done, setDone] = useState<{ readonly id: string; readonly key: string | undefined }>()
  const isOpen = arrivalId !== undefined && (arrivalId !== done?.id || key !== done.key)
  const index = !isOpen ? -1 : arrivalId === FIRST_ITEM ? 0 : indexOfItem(list, arrivalId)
  const arrive = useEffectEvent(() => {
    if (index === -1 || arrivalId === undefined) return
    onArrive(index)
    setDone({ id: arrivalId, key })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: as soon as it is there
  useEffect(() => arrive(), [index, arrivalId, key])
  useEffect(() => {
    if (!done || done.id === FIRST_ITEM) return
    const cell = document.querySelector<HTMLElement>(`[data-item-id="${CSS.escape(done.id)}"]`)
    if (!cell) return
    cell.dataset.arrived = ''
    const timer = setTimeout(() => delete cell.dataset.arrived, MARKED_FOR)
    return () => clearTimeout(timer)
  }, [done])
  return isOpen && index === -1
}
