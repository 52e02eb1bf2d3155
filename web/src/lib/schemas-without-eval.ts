// Zod compiles schemas with `new Function` where it can, and finds out by trying. The policy of our pages forbids it, and
// browsers report the try. Told beforehand it does not try; this is where it looks, before any of it is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
