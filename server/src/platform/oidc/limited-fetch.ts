import { isLoopback } from '../../config.ts'
import { OidcError } from './oidc-error.ts'

/** The largest response of a provider. Discovery documents and key sets have a few kilobytes. */
const MAX_RESPONSE_BYTES = 256 * 1024

/** Returns whether an address is encrypted, or of this machine. */
export function isSecure(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(url))
}

/**
 * Fetches from a provider: over HTTPS only, except from this machine, without following redirects, and at most
 * `MAX_RESPONSE_BYTES`. The caller's signal ends it.
 */
export async function limitedFetch(url: string, options: RequestInit): Promise<Response> {
  if (!isSecure(url)) throw new OidcError('misconfigured', `it uses the unencrypted address ${url}`)
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const body = await readLimited(response, url)
  return new Response(body.length > 0 ? body : null, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  })
}

async function readLimited(response: Response, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new OidcError('unreachable', `the response of ${url} is too large`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
