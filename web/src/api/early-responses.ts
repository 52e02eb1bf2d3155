export interface EarlyResponses {
  readonly token: string
  /** By address. */
  readonly responses: Map<string, Promise<Response>>
}

declare global {
  interface Window {
    /** Set by `public/before-paint.js`. */
    alcoveEarly?: EarlyResponses
  }
}

/** Returns whether the page has requested anything early that nobody has taken yet. */
export function hasEarlyResponses(): boolean {
  return (window.alcoveEarly?.responses.size ?? 0) > 0
}

/**
 * Hands over, once, the response to a GET that the page has requested before its program was there. Undefined when
 * there is none, when it was requested with another token, and when the network failed.
 */
export async function takeEarlyResponse(address: string, token: string | undefined): Promise<Response | undefined> {
  const early = window.alcoveEarly
  const response = early?.token === token ? early?.responses.get(address) : undefined
  early?.responses.delete(address)
  return response?.catch(() => undefined)
}
