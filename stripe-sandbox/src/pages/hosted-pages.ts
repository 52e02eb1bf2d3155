import type { FastifyPluginAsync } from 'fastify'
import { change } from '../due-work.ts'
import { readFormsAsText } from '../http/api-server.ts'
import type { World } from '../world.ts'
import { assetRoutes } from './assets.ts'
import { browserApi } from './browser-api.ts'
import { checkoutRoutes } from './checkout-routes.ts'
import { sendPage } from './leave.ts'
import { messagePage } from './page.ts'
import { portalRoutes } from './portal-routes.ts'

/** All that browsers get of the sandbox, to stand beside the product's own pages. */
export function hostedPages(world: World, advance: (milliseconds: number) => Promise<void>): FastifyPluginAsync {
  const base = new URL(world.pagesUrl).pathname.replace(/\/$/, '')
  return async (app) => {
    readFormsAsText(app)
    assetRoutes(app)
    checkoutRoutes(app, world, base)
    portalRoutes(app, world, base, advance)
    app.get<{ Params: { token: string } }>('/invoices/:token/pdf', async (request, reply) => {
      const invoice = change(world, () => findInvoice(world, request.params.token))
      if (!invoice) return sendPage(reply, notFound(base), 404)
      // Loaded with the first PDF: it brings a reader of fonts along.
      const { drawInvoice } = await import('../invoice-pdf/draw-invoice.ts')
      return reply
        .type('application/pdf')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
        .send(await drawInvoice(invoice))
    })
    await app.register((scope) => browserApi(scope, world))
    app.all('/*', (_request, reply) => sendPage(reply, notFound(base), 404))
    app.setErrorHandler((error, request, reply) => {
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
      if (status >= 500) request.log.error({ err: error }, 'the sandbox failed')
      const text = status >= 500 ? 'Something went wrong in the sandbox.' : 'The request cannot be read.'
      return sendPage(reply, messagePage({ base, title: 'That did not work', text }), status)
    })
  }
}

/** By the unguessable part of its address; there are few invoices, and their addresses are rarely called. */
function findInvoice({ store }: World, token: string) {
  const row = store.get<{ id: string }>(
    `select id from objects where object = 'invoice' and hidden ->> 'pdfToken' = ?`,
    token,
  )
  return row && store.find('invoice', row.id)?.body
}

function notFound(base: string): string {
  const text = 'The address is wrong, or what it led to is gone.'
  return messagePage({ base, title: 'There is no such page', text })
}
