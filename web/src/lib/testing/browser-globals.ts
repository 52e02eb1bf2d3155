/**
 * Defines the browser globals that `session.ts` and `api.ts` use when they are loaded, for tests in Node. Import this
 * module before them.
 */

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
  // No test stores anything in it.
  sessionStorage: { value: { getItem: () => null, clear: () => {} }, configurable: true },
})
