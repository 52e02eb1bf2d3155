import type { RequestListener } from 'node:http'

/** How long a request waits for the server to start, in milliseconds. A start takes a second or two, longer with migrations. */
const START_TIMEOUT = 10_000

/**
 * Handles requests while the server starts and stops, so that restarting one of several servers behind a proxy loses none.
 * Requests that come too early wait. Requests that still arrive on open connections get their response, with `Connection: close`.
 * The health check fails at once in both cases.
 */
export class RequestGate {
  readonly #startTimeout: number
  readonly #waiting = new Set<() => void>()
  #app: RequestListener | undefined
  #isStopping = false

  constructor(startTimeout = START_TIMEOUT) {
    this.#startTimeout = startTimeout
  }

  readonly listener: RequestListener = (request, response) => {
    if ((!this.#app || this.#isStopping) && request.url === '/api/health') return refuse(request, response)
    if (this.#isStopping) response.setHeader('connection', 'close')
    if (this.#app) return this.#app(request, response)
    this.#wait(request, response)
  }

  /** Passes all waiting and further requests to the app. */
  open(app: RequestListener): void {
    this.#app = app
    for (const go of this.#waiting) go()
  }

  stop(): void {
    this.#isStopping = true
  }

  #wait(...[request, response]: Parameters<RequestListener>): void {
    const leave = () => {
      clearTimeout(timer)
      this.#waiting.delete(go)
      response.off('close', leave)
    }
    const go = () => {
      leave()
      this.listener(request, response)
    }
    const timer = setTimeout(() => {
      leave()
      refuse(request, response)
    }, this.#startTimeout)
    this.#waiting.add(go)
    response.once('close', leave)
  }
}

const refuse: RequestListener = (_request, response) => {
  const message = 'The server is starting or stopping. Please try again in a moment.'
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '1',
    connection: 'close',
  })
  response.end(JSON.stringify({ error: message, message, code: 'unavailable' }))
}
