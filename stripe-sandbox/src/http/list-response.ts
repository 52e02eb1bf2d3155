import type { List } from '../stripe-objects.ts'
import type { Parameters } from './parameters.ts'
import { missing } from './stripe-error.ts'

/** A page of a list whose newest come first. */
export function listResponse<T extends { id: string; created?: number }>(
  all: T[],
  params: Parameters,
  url: string,
): List<T> {
  const limit = params.integer('limit', { min: 1, max: 100 }) ?? 10
  const after = params.text('starting_after')
  const before = params.text('ending_before')
  const chosen = all.filter(isCreatedWithin(params))
  if (before) {
    const end = indexOf(chosen, before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', data: chosen.slice(start, end), has_more: start > 0, url }
  }
  const start = after ? indexOf(chosen, after, 'starting_after') + 1 : 0
  return { object: 'list', data: chosen.slice(start, start + limit), has_more: chosen.length > start + limit, url }
}

function indexOf(all: { id: string }[], id: string, param: string): number {
  const index = all.findIndex((one) => one.id === id)
  if (index === -1) throw missing('object', id, param, 400)
  return index
}

/** `created` may be a time, or bounds. */
function isCreatedWithin(params: Parameters): (one: { created?: number }) => boolean {
  if (!params.has('created')) return () => true
  const range = params.isGroup('created') ? params.group('created') : undefined
  const exactly = range ? undefined : params.integer('created')
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((bound) => range?.integer(bound))
  return ({ created = 0 }) =>
    (exactly === undefined || created === exactly) &&
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
}
