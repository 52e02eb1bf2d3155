import type { IncomingMessage } from 'node:http'
import { calls } from '@alcove/contract/calls'

/**
 * The API is at `/api`, and also at the root for whoever knows it there (specification, section 9): a path that is a
 * call's is served by the API, unless a browser asks for a page.
 */
export function createCallPathRewriter(): (request: IncomingMessage) => string {
  return (request) => {
    const url = request.url ?? '/'
    if (url.startsWith('/api/') || request.headers.accept?.includes('text/html')) return url
    return isCallPath(request.method ?? 'GET', url) ? `/api${url}` : url
  }
}

/** The paths of the calls of each method. */
const CALL_PATHS = new Map(
  [...Map.groupBy(calls, ({ method }) => method as string)].map(([method, those]) => {
    const patterns = those.map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+'))
    return [method, new RegExp(`^(?:${patterns.join('|')})/?$`)]
  }),
)

/** Whether an address without `/api` is a call's, and perhaps a page's as well. */
export function isCallPath(method: string, url: string): boolean {
  return CALL_PATHS.get(method === 'HEAD' ? 'GET' : method)?.test(url.split('?', 1)[0] as string) ?? false
}
