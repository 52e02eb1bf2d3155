import type { IncomingMessage } from 'node:http'
import { calls } from '@alcove/contract/calls'

/**
 * The API is at `/api`, and also at the root for whoever knows it there (specification, section 9): a path that is a
 * call's is served by the API, unless a browser asks for a page.
 */
export function createCallPathRewriter(): (request: IncomingMessage) => string {
  const patterns = calls.map((call) => call.path.replace(/\{\w+\}/g, '[^/]+'))
  const isCallPath = new RegExp(`^(?:${patterns.join('|')})/?$`)
  return (request) => {
    const url = request.url ?? '/'
    if (url.startsWith('/api/') || request.headers.accept?.includes('text/html')) return url
    const path = url.split('?', 1)[0] as string
    return isCallPath.test(path) ? `/api${url}` : url
  }
}
