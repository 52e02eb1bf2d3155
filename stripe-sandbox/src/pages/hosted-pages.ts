import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { change } from '../due-work.ts'
import { browserApi, readFormsAsText } from '../http/api-server.ts'
import type { Invoice } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { checkoutRoutes } from './checkout.ts'
import { messagePage, sendPage } from './page.ts'
import { portalRoutes } from './portal-routes.ts'

/** Returns everything that the sandbox serves to browsers, as a plugin. */
export function hostedPages(world: World, advance: (milliseconds: number) => Promise<void>): FastifyPluginAsync {
  const base = new URL(world.pagesUrl).pathname.replace(/\/$/, '')
  const notFound = messagePage({
    base,
    title: 'There is no such page',
    text: 'The address is wrong, or the page no longer exists.',
  })
  return async (app) => {
    readFormsAsText(app)
    asset(app, 'pages.css', 'text/css; charset=utf-8')
    asset(app, 'pages.js', 'text/javascript; charset=utf-8')
    checkoutRoutes(app, world, base)
    portalRoutes(app, world, base, advance)
    app.get<{ Params: { token: string } }>('/invoices/:token/pdf', async (request, reply) => {
      const invoice = change(world, () => findInvoice(world, request.params.token))
      if (!invoice) return sendPage(reply, notFound, 404)
      // Loaded with the first PDF, because pdfkit takes a while to load.
      const { renderInvoice } = await import('./invoice-pdf.ts')
      return reply
        .type('application/pdf')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
        .send(await renderInvoice(invoice))
    })
    await app.register((scope) => browserApi(scope, world))
    app.all('/*', (_request, reply) => sendPage(reply, notFound, 404))
    app.setErrorHandler((error, request, reply) => {
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
      if (status >= 500) request.log.error({ err: error }, 'the sandbox failed')
      const text = status >= 500 ? 'Something went wrong in the sandbox.' : 'The request cannot be read.'
      return sendPage(reply, messagePage({ base, title: 'Something went wrong', text }), status)
    })
  }
}

/** Serves a file of `assets/`. */
function asset(app: FastifyInstance, name: string, type: string): void {
  const bytes = readFileSync(fileURLToPath(new URL(`assets/${name}`, import.meta.url)))
  app.get(`/assets/${name}`, (_request, reply) => reply.type(type).header('cache-control', 'max-age=300').send(bytes))
}

function findInvoice({ store }: World, token: string): Invoice | undefined {
  const row = store.get<{ id: string }>(
    `select id from objects where object = 'invoice' and hidden ->> 'pdfToken' = ?`,
    token,
  )
  return row && store.find('invoice', row.id)?.body
}
