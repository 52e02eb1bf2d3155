import {
  ROBOT_MIN_AVERAGE_MOVEMENT,
  ROBOT_MIN_HOVER,
  ROBOT_MOVEMENTS_JUDGED,
  ROBOT_MOVEMENTS_KEPT,
} from '@alcove/contract/limits'

/** How the box was ticked. A mouse hovers and moves; touch, pen and keyboard can only press and let go. */
export type Gesture =
  | { readonly by: 'mouse'; readonly movements: readonly number[]; readonly hover: number }
  | { readonly by: 'press'; readonly hold: number }

export interface RobotEvidence {
  readonly gesture: Gesture
  /** Whether the browser itself raised the event, not a script. */
  readonly isTrusted: boolean
  /** What stands in the field that people cannot see. */
  readonly honeypot: string
}

/** The distances the mouse has moved, with one more, as many as are kept. */
export function withMovement(movements: readonly number[], distance: number): readonly number[] {
  return [...movements, distance].slice(-ROBOT_MOVEMENTS_KEPT)
}

/** The mean of the latest movements; 0 where there was none. */
export function averageMovement(movements: readonly number[]): number {
  const judged = movements.slice(-ROBOT_MOVEMENTS_JUDGED)
  return judged.length === 0 ? 0 : judged.reduce((sum, distance) => sum + distance, 0) / judged.length
}

/** Whether the tick was a person's. Both limits must be exceeded, not only reached. */
export function isHuman({ gesture, isTrusted, honeypot }: RobotEvidence): boolean {
  if (!isTrusted || honeypot !== '') return false
  if (gesture.by === 'press') return gesture.hold > ROBOT_MIN_HOVER
  return averageMovement(gesture.movements) > ROBOT_MIN_AVERAGE_MOVEMENT && gesture.hover > ROBOT_MIN_HOVER
}
