import { useEffect, useEffectEvent } from 'react'

/** Finds the element in which answers appear, or null while it isn't rendered. */
type FindPlace = () => HTMLElement | null

const places: FindPlace[] = []
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

/**
 * Shows answers (successes and errors) inside a dialog, sheet or preview while it is open, instead of over it. The one
 * that opened last gets them.
 */
export function useToastPlace(isOpen: boolean, find: FindPlace): void {
  const findPlace = useEffectEvent(find)
  useEffect(() => {
    if (!isOpen) return
    const place = () => findPlace()
    places.push(place)
    return () => {
      places.splice(places.indexOf(place), 1)
      tell()
    }
  }, [isOpen])
}

/** Returns where a toast belongs now, or undefined when nothing lies over the page. */
export function topToastPlace(): HTMLElement | undefined {
  return places.at(-1)?.() ?? undefined
}

export function isToastPlaceOpen(): boolean {
  return places.length > 0
}

/** Calls `listener` whenever a place closes. Returns how to stop that. */
export function onToastPlaceClosed(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The body of the dialog or sheet that lies on top. */
export function topDialogBody(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('.mantine-Modal-body, .mantine-Drawer-body')].at(-1) ?? null
}
