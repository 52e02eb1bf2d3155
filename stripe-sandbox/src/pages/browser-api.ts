import type { FastifyInstance } from 'fastify'
import { asStripeError, formOf, isSame, keyOf, queryOf, refused, send, unknownAddress } from '../http/api-server.ts'
import { type ApiCall, callsForBrowsers } from '../http/calls.ts'
import { parseForm } from '../http/form.ts'
import { type Answer, errorResponse, runCall } from '../http/run-call.ts'
import type { World } from '../world.ts'

/** What the card form calls from the browser: the card's details go here and never to the product. */
export async function browserApi(app: FastifyInstance, world: World): Promise<void> {
  for (const call of callsForBrowsers) {
    app.route<{ Params: { id?: string } }>({
      method: call.method,
      url: call.path,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const form = call.method === 'POST' ? formOf(request) : queryOf(request)
        return send(reply, response(world, call, { form, id: request.params.id ?? '', key: keyOf(request) }))
      },
    })
  }
  app.all('/v1/*', (request, reply) => send(reply, errorResponse(unknownAddress(request))))
  app.setErrorHandler((error, _request, reply) => send(reply, errorResponse(asStripeError(error))))
}

/** The key may stand in the form, as Stripe's own script sends it. */
function response(world: World, call: ApiCall, request: { form: string; id: string; key?: string }): Answer {
  try {
    const { key: formKey } = parseForm(request.form)
    const key = request.key ?? (typeof formKey === 'string' ? formKey : '')
    if (!isSame(key, world.publishableKey)) throw refused('Invalid publishable API key.')
    return runCall(world, call, { ...request, path: call.path })
  } catch (error) {
    return errorResponse(error)
  }
}
