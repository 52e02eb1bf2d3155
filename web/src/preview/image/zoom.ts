/** How a picture lies in its box: how much larger than its pixels, how far its middle is off the box's, how turned. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
  /** Quarter turns to the right. */
  readonly turns: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The most that a picture can be enlarged, and at least this many times what fits. */
const MAX_SCALE = 8

/** The scale at which all of a picture is seen. Only one without pixels of its own, a drawing, is enlarged for it. */
export function fitScale(picture: Size, box: Size, turns: number, isDrawing = false): number {
  const { width, height } = turned(picture, turns)
  if (width <= 0 || height <= 0 || box.width <= 0 || box.height <= 0) return 1
  const fit = Math.min(box.width / width, box.height / height)
  return isDrawing ? fit : Math.min(1, fit)
}

/** Enlarges or shrinks so that what is at `point`, measured from the middle of the box, stays there. */
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

/** No edge of a picture comes further in than it has to: what is smaller than the box stays in its middle. */
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
