import { useIsPainted } from '../../lib/use-is-painted.ts'
import { useMedia } from '../../lib/use-media.ts'

/**
 * Returns whether tiles have their buttons and check boxes, which show on hover and focus. In the first grid of a visit
 * they come after the first paint; touch screens get them at once.
 */
export function useTileTools(): boolean {
  const canHover = useMedia('(hover: hover)')
  return useIsPainted() || !canHover
}
