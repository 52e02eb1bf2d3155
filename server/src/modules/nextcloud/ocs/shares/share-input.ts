import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../../errors.ts'
import { PUBLIC_LINK } from './describe-shares.ts'

/** What a client sends: in a form (desktop, Android) or in the query, and the id in the address. */
export interface ShareInput {
  readonly id: string
  readonly get: (name: string) => string | undefined
  readonly isOn: (name: string) => boolean
}

export function shareInput({ body, query, params }: FastifyRequest): ShareInput {
  const form = new URLSearchParams(typeof body === 'string' ? body : '')
  const inQuery = query as Record<string, unknown>
  const get = (name: string) => {
    const value = form.get(name) ?? inQuery[name]
    return typeof value === 'string' ? value : undefined
  }
  const { id = '' } = params as { id?: string }
  return { id, get, isOn: (name) => ['true', '1'].includes(get(name) ?? '') }
}

interface LinkSettings {
  readonly password?: string | null
  readonly expiresAt?: string | null
}

/** Nextcloud's bits for reading (1) and for sharing again (16), which everybody who has a link can do. */
const READ_AND_SHARE = 1 + 16

/**
 * Reads what a client wants to set. Empty values remove the password or expiry of an existing link. Throws 403 for another way of sharing, and 400 for
 * what links don't have: a client must not believe that it is set.
 */
export function readLinkSettings(input: ShareInput, link: 'new' | 'existing'): LinkSettings {
  if (link === 'new' && input.get('shareType') !== PUBLIC_LINK) {
    throw new AppError(
      'forbidden',
      'Only public links exist here. Sharing with users, groups or by mail isn’t supported.',
    )
  }
  const permissions = Number(input.get('permissions') ?? 1)
  if (
    !Number.isSafeInteger(permissions) ||
    (permissions & READ_AND_SHARE) !== permissions ||
    input.isOn('publicUpload')
  ) {
    throw new AppError('forbidden', 'What a public link shares can be viewed and downloaded, but not changed.')
  }
  if (input.isOn('hideDownload') || /"(value|enabled)":\s*(false|0)/.test(input.get('attributes') ?? '')) {
    throw new AppError('malformed', 'Public links always allow downloads.')
  }
  // Some clients name every new link.
  const isNamed = link === 'existing' && ((input.get('label') ?? '') !== '' || (input.get('name') ?? '') !== '')
  if (isNamed || (input.get('note') ?? '') !== '') {
    throw new AppError('malformed', 'Public links have no labels and no notes.')
  }
  return { ...readPassword(input, link), ...readExpiry(input, link) }
}

function readPassword(input: ShareInput, link: 'new' | 'existing'): LinkSettings {
  const password = input.get('password')
  if (password === undefined || (password === '' && link === 'new')) return {}
  return { password: password === '' ? null : password }
}

/** A link works until the end of its last day, in UTC. */
function readExpiry(input: ShareInput, link: 'new' | 'existing'): LinkSettings {
  const text = input.get('expireDate')
  if (text === undefined || (text === '' && link === 'new')) return {}
  if (text === '') return { expiresAt: null }
  const day = /^(\d{4}-\d{2}-\d{2})(?:[ T]|$)/.exec(text)?.[1]
  if (day === undefined) throw new AppError('malformed', 'The expiry must be a date such as 2030-12-31.')
  return { expiresAt: `${day}T23:59:59.999Z` }
}
