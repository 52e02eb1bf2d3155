import type { IncomingMessage } from 'node:http'
import { allCalls } from '@alcove/contract/calls'

/**
 * Creates Fastify's `rewriteUrl`. The API is at `/api`, and also at the root (specification, section 9): a path of a call is
 * served by the API unless a browser requests a page.
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
  [...Map.groupBy(allCalls, ({ method }) => method as string)].map(([method, those]) => {
    const patterns = those.map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+'))
    return [method, new RegExp(`^(?:${patterns.join('|')})/?$`)]
  }),
)

/** Returns whether an address without `/api` is that of a call; it may be that of a page too. */
export function isCallPath(method: string, url: string): boolean {
  return CALL_PATHS.get(method === 'HEAD' ? 'GET' : method)?.test(url.split('?', 1)[0] as string) ?? false
}
