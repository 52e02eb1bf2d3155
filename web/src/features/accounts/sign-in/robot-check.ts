import {
  ROBOT_MIN_AVERAGE_MOVEMENT,
  ROBOT_MIN_HOVER,
  ROBOT_MOVEMENTS_JUDGED,
  ROBOT_MOVEMENTS_KEPT,
} from '@alcove/contract/limits'

/** How the box was ticked. A mouse hovers and moves; touch, pen and keyboard only press and release. */
export type Gesture =
  | { readonly by: 'mouse'; readonly movements: readonly number[]; readonly hover: number }
  | { readonly by: 'press'; readonly hold: number }

export interface RobotEvidence {
  readonly gesture: Gesture
  /** Whether the event comes from the user, not from a script. */
  readonly isTrusted: boolean
  /** The content of the field that people can't see. */
  readonly honeypot: string
}

/** Appends a distance to the mouse's movements, and keeps the latest ones. */
export function withMovement(movements: readonly number[], distance: number): readonly number[] {
  return [...movements, distance].slice(-ROBOT_MOVEMENTS_KEPT)
}

/** Returns the mean of the latest movements, or 0 if there are none. */
export function averageMovement(movements: readonly number[]): number {
  const judged = movements.slice(-ROBOT_MOVEMENTS_JUDGED)
  return judged.length === 0 ? 0 : judged.reduce((sum, distance) => sum + distance, 0) / judged.length
}

/** Returns whether a person ticked the box. Both limits must be exceeded, not only reached. */
export function isHuman({ gesture, isTrusted, honeypot }: RobotEvidence): boolean {
  if (!isTrusted || honeypot !== '') return false
  if (gesture.by === 'press') return gesture.hold > ROBOT_MIN_HOVER
  return averageMovement(gesture.movements) > ROBOT_MIN_AVERAGE_MOVEMENT && gesture.hover > ROBOT_MIN_HOVER
}
