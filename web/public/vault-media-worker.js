// Lets the browser's players play a file of the vault from an address. It knows no key and keeps nothing: for each request
// it asks the page that plays, which decrypts that part (features/vault/crypto/vault-media.ts). All else passes it by.

const PATH = '/vault-media/'
const PATIENCE = 60_000

self.addEventListener('install', (event) => {
  // Where browsers can be told beforehand, other requests do not even wake this worker.
  const others = { not: { urlPattern: { pathname: `${PATH}*` } } }
  const told = event.addRoutes?.({ condition: others, source: 'network' })
  event.waitUntil(Promise.resolve(told).catch(() => undefined))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { origin, pathname } = new URL(event.request.url)
  if (origin !== self.location.origin || !pathname.startsWith(PATH)) return
  // What was decrypted is played, and never opened as a page of this origin.
  if (event.request.mode === 'navigate') return
  event.respondWith(answer(pathname.slice(PATH.length), event))
})

/** Asks the page that made the request: another one's addresses lead nowhere. */
async function answer(vaultMedia, { clientId, request }) {
  const page = await self.clients.get(clientId)
  if (!page) return new Response(null, { status: 404 })
  const { port1, port2 } = new MessageChannel()
  const answered = await new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ status: 504, headers: {}, body: null }), PATIENCE)
    port1.onmessage = ({ data }) => {
      clearTimeout(timer)
      resolve(data)
    }
    page.postMessage({ vaultMedia, range: request.headers.get('range') }, [port2])
  })
  port1.close()
  const { status, headers, body } = answered
  return new Response(body, { status, headers })
}
