type Point = readonly [x: number, y: number]
/** A line through points. */
export type Stroke = readonly Point[]

/** Returns points of an ellipse's arc, with angles in degrees: 0 is right, 90 is down. */
function arc(centerX: number, centerY: number, radiusX: number, radiusY: number, from: number, to: number): Point[] {
  const steps = Math.ceil(Math.abs(to - from) / 15)
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180
    return [centerX + radiusX * Math.cos(angle), centerY + radiusY * Math.sin(angle)] as const
  })
}

const bowl = [[0, 1], [0, 0], [0.38, 0], ...arc(0.38, 0.28, 0.28, 0.28, -90, 90), [0, 0.56]] as const
const ring = arc(0.5, 0.5, 0.5, 0.5, 0, 360)

/** Capital letters as strokes: 1 high, from the left edge at 0, with y downwards. */
// biome-ignore format: one line a letter
export const letterShapes: Readonly<Record<string, readonly Stroke[]>> = {
  A: [[[0, 1], [0.45, 0], [0.9, 1]], [[0.16, 0.66], [0.74, 0.66]]],
  B: [[[0, 0.5], [0, 0], [0.36, 0], ...arc(0.36, 0.25, 0.25, 0.25, -90, 90), [0, 0.5]], [[0, 0.5], [0, 1], [0.4, 1], ...arc(0.4, 0.75, 0.28, 0.25, 90, -90)]],
  C: [arc(0.47, 0.5, 0.47, 0.5, -42, -318)],
  D: [[[0, 0], [0, 1], [0.3, 1], ...arc(0.3, 0.5, 0.5, 0.5, 90, -90), [0, 0]]],
  E: [[[0.62, 0], [0, 0], [0, 1], [0.62, 1]], [[0, 0.5], [0.54, 0.5]]],
  F: [[[0.6, 0], [0, 0], [0, 1]], [[0, 0.5], [0.52, 0.5]]],
  G: [[...arc(0.48, 0.5, 0.48, 0.5, -42, -360), [0.56, 0.5]]],
  H: [[[0, 0], [0, 1]], [[0.74, 0], [0.74, 1]], [[0, 0.5], [0.74, 0.5]]],
  I: [[[0, 0], [0, 1]]],
  J: [[[0.46, 0], [0.46, 0.74], ...arc(0.23, 0.74, 0.23, 0.26, 0, 155)]],
  K: [[[0, 0], [0, 1]], [[0.66, 0], [0, 0.6]], [[0.25, 0.38], [0.7, 1]]],
  L: [[[0, 0], [0, 1], [0.58, 1]]],
  M: [[[0, 1], [0, 0], [0.46, 0.7], [0.92, 0], [0.92, 1]]],
  N: [[[0, 1], [0, 0], [0.74, 1], [0.74, 0]]],
  O: [ring],
  P: [bowl],
  Q: [ring, [[0.62, 0.7], [0.96, 1.03]]],
  R: [bowl, [[0.36, 0.56], [0.68, 1]]],
  S: [[...arc(0.31, 0.25, 0.28, 0.25, -35, -270), ...arc(0.31, 0.75, 0.31, 0.25, -90, 150)]],
  T: [[[0, 0], [0.76, 0]], [[0.38, 0], [0.38, 1]]],
  U: [[[0, 0], [0, 0.64], ...arc(0.36, 0.64, 0.36, 0.36, 180, 0), [0.72, 0]]],
  V: [[[0, 0], [0.42, 1], [0.84, 0]]],
  W: [[[0, 0], [0.29, 1], [0.58, 0.12], [0.87, 1], [1.16, 0]]],
  X: [[[0, 0], [0.72, 1]], [[0.72, 0], [0, 1]]],
  Y: [[[0, 0], [0.38, 0.5], [0.76, 0]], [[0.38, 0.5], [0.38, 1]]],
  Z: [[[0, 0], [0.68, 0], [0, 1], [0.68, 1]]],
}

/** A head with shoulders, for names that don't begin with one of these letters. */
export const personShape: readonly Stroke[] = [
  arc(0.5, 0.26, 0.24, 0.26, 0, 360),
  [...arc(0.5, 1, 0.5, 0.32, 180, 360), [0, 1]],
]
