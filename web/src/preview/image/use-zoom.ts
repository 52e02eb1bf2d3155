import { type RefObject, useCallback, useState } from 'react'
import { useBoxSize } from '../use-box-size.ts'
import { fitScale, type Point, pan, type Size, type View, zoomTo } from './zoom.ts'

const MIDDLE: Point = { x: 0, y: 0 }
/** What one press of a button changes the scale by. */
const STEP = 1.4

/** The zoom of a picture in its box. Until it is zoomed it follows the size of the box. */
export function useZoom(box: RefObject<HTMLElement | null>, picture: Size, isDrawing: boolean) {
  const boxSize = useBoxSize(box)
  const [turns, setTurns] = useState(0)
  const [zoomed, setZoomed] = useState<View>()
  const fit = fitScale(picture, boxSize, turns, isDrawing)
  const isZoomed = zoomed !== undefined && zoomed.scale > fit * 1.001
  const view: View = isZoomed ? zoomed : { ...MIDDLE, scale: fit, turns }

  const scaleTo = useCallback(
    (scale: (view: View) => number, point = MIDDLE) => {
      setZoomed((now) => {
        const from = now && now.scale > fit ? now : { ...MIDDLE, scale: fit, turns }
        return zoomTo(from, scale(from), point, picture, boxSize, fit)
      })
    },
    [fit, turns, picture, boxSize],
  )

  return {
    view,
    isZoomed,
    zoomBy: useCallback((factor: number, point?: Point) => scaleTo((now) => now.scale * factor, point), [scaleTo]),
    zoomIn: () => scaleTo((now) => now.scale * STEP),
    zoomOut: () => scaleTo((now) => now.scale / STEP),
    fit: () => setZoomed(undefined),
    /** Between all of it and its own pixels, or twice what fits where that is more. */
    toggle: (point: Point) => (isZoomed ? setZoomed(undefined) : scaleTo(() => Math.max(1, fit * 2), point)),
    panBy: useCallback((by: Point) => setZoomed((now) => now && pan(now, by, picture, boxSize)), [picture, boxSize]),
    rotate: () => {
      setZoomed(undefined)
      setTurns((now) => now + 1)
    },
  }
}
