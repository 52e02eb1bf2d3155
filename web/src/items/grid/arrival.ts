import { useLocation, useNavigationType } from 'react-router'

/** What a move to a folder carries along: where the keyboard starts there. */
export interface Arrival {
  /** An item of the folder, or its first one. */
  readonly arrivalId: string
}

export const FIRST_ITEM = 'first'

/** Where the keyboard starts; after the browser's own Back and Forward it starts nowhere, for the page scrolls itself. */
export function useArrival(): Arrival | undefined {
  const { state } = useLocation()
  const isOurs = useNavigationType() === 'PUSH'
  return isOurs && state ? (state as Arrival) : undefined
}
