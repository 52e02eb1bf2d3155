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

/** Returns whether there are early requests whose response has not been used yet. */
export function hasEarlyResponses(): boolean {
  return (window.alcoveEarly?.responses.size ?? 0) > 0
}

/**
 * Returns the response to a GET request that the page sent before its scripts were loaded; each only once. Undefined if
 * there is none, if it was sent with another token, or if the network failed.
 */
export async function takeEarlyResponse(address: string, token: string | undefined): Promise<Response | undefined> {
  const early = window.alcoveEarly
  const response = early?.token === token ? early?.responses.get(address) : undefined
  early?.responses.delete(address)
  return response?.catch(() => undefined)
}
