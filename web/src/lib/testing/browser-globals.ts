/** What `session.ts` and `api.ts` touch when they load, for tests that run in Node. Import it before them. */

const stored = new Map<string, string>()

Object.defineProperties(globalThis, {
  window: { value: new EventTarget(), configurable: true },
  localStorage: {
    value: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
      clear: () => stored.clear(),
    },
    configurable: true,
  },
  // Nothing that is tested reads from it.
  sessionStorage: { value: { clear: () => {} }, configurable: true },
})
