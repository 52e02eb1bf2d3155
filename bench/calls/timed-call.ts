import type { AnyCall } from '@alcove/contract/call'
import type { Caller, Turn } from './caller.ts'

export interface TimedCall {
  call: AnyCall
  input(own: Caller, turn: Turn): Record<string, unknown>
  /** Which of several ways to make this call, or what else is to be known of its figure. */
  as?: string
  /** With another session than the caller's: one that it ends, or of a user whom it is about. */
  token?(turn: Turn): string
}

export function timed(call: AnyCall, input: TimedCall['input'], as?: string): TimedCall {
  return { call, input, ...(as !== undefined && { as }) }
}

export function plain(...calls: AnyCall[]): TimedCall[] {
  return calls.map((call) => timed(call, () => ({})))
}

export function by(token: (turn: Turn) => string, ...calls: TimedCall[]): TimedCall[] {
  return calls.map((call) => ({ ...call, token }))
}
