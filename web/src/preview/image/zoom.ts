import { type RefObject, useCallback, useState } from 'react'
import { useBoxSize } from '../viewer-parts.tsx'

const MIDDLE: Point = { x: 0, y: 0 }
/** The factor of one press of a zoom button. */
const STEP = 1.4

/** The zoom of a picture in its box. Until the user zooms, the picture fits the box. */
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
    /** Switches between the whole picture and its original size, or twice the fitting size if that is larger. */
    toggle: (point: Point) => (isZoomed ? setZoomed(undefined) : scaleTo(() => Math.max(1, fit * 2), point)),
    panBy: useCallback((by: Point) => setZoomed((now) => now && pan(now, by, picture, boxSize)), [picture, boxSize]),
    rotate: () => {
      setZoomed(undefined)
      setTurns((now) => now + 1)
    },
  }
}

/** The scale of a picture, the offset of its center from that of the box, and its rotation. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
  /** Clockwise quarter turns. */
  readonly turns: number
}

interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The largest scale, relative to the original size or to the fitting size, whichever is larger. */
const MAX_SCALE = 8

/** Returns the scale at which the whole picture fits the box. Only drawings (SVG) are enlarged to fit. */
export function fitScale(picture: Size, box: Size, turns: number, isDrawing = false): number {
  const { width, height } = turned(picture, turns)
  if (width <= 0 || height <= 0 || box.width <= 0 || box.height <= 0) return 1
  const fit = Math.min(box.width / width, box.height / height)
  return isDrawing ? fit : Math.min(1, fit)
}

/** Changes the scale and keeps what is at `point`, relative to the center of the box, in place. */
export function zoomTo(view: View, scale: number, point: Point, picture: Size, box: Size, fit: number): View {
  const next = clamp(scale, fit, Math.max(MAX_SCALE, fit * MAX_SCALE))
  const ratio = next / view.scale
  const moved = {
    ...view,
    scale: next,
    x: point.x - (point.x - view.x) * ratio,
    y: point.y - (point.y - view.y) * ratio,
  }
  return keepInside(moved, picture, box)
}

export function pan(view: View, by: Point, picture: Size, box: Size): View {
  return keepInside({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, box)
}

/** Keeps the picture's edges at or beyond the box's edges. A picture smaller than the box stays centered. */
function keepInside(view: View, picture: Size, box: Size): View {
  const { width, height } = turned(picture, view.turns)
  const free = {
    x: Math.max(0, (width * view.scale - box.width) / 2),
    y: Math.max(0, (height * view.scale - box.height) / 2),
  }
  return { ...view, x: clamp(view.x, -free.x, free.x), y: clamp(view.y, -free.y, free.y) }
}

function turned({ width, height }: Size, turns: number): Size {
  return turns % 2 === 0 ? { width, height } : { width: height, height: width }
}

function clamp(value: number, least: number, max: number): number {
  return Math.min(max, Math.max(least, value)) + 0
}
