// Zod tries to compile schemas with `new Function`. Our Content Security Policy forbids that, and browsers report each
// attempt. Zod reads this setting when it is loaded, so this module must be imported first.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
