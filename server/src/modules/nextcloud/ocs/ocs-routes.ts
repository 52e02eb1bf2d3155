import type { FastifyInstance } from 'fastify'
import type { AppPasswordUse, Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { authenticateBasic } from '../../../platform/http/app-passwords.ts'
import { handleError } from '../../../platform/http/error-handler.ts'
import { logSecurity } from '../../../platform/security-log.ts'
import { deleteAppPassword } from '../../accounts/index.ts'
import { DavError } from '../../dav/index.ts'
import { readBrand } from '../../site/index.ts'
import { identifyReader } from '../identify-reader.ts'
import { assertSentByProgram } from './assert-sent-by-program.ts'
import { describeCapabilities } from './capabilities.ts'
import { describeUser } from './describe-user.ts'
import { sendOcs } from './ocs-response.ts'
import { shareRoutes } from './shares/share-routes.ts'

/**
 * The calls of OCS that clients need besides WebDAV. They try many others, for parts of Nextcloud that we don't have; those are 'not
 * found'.
 */
export function ocsRoutes(app: FastifyInstance, services: Services): void {
  for (const version of ['v1', 'v2']) {
    void app.register(async (ocs) => addCalls(ocs, services), { prefix: `/ocs/${version}.php` })
  }
}

function addCalls(ocs: FastifyInstance, services: Services): void {
  ocs.setErrorHandler((error, request, reply) =>
    handleError(error, request, reply, ({ status, body }) =>
      sendOcs(request, reply, {
        status: error instanceof DavError ? error.status : status,
        failure: body.message,
        isUnknownCall: request.routeOptions.url?.endsWith('/*') === true,
      }),
    ),
  )

  // Public. Clients that send an app password want to know whether it works.
  ocs.get('/cloud/capabilities', async (request, reply) => {
    if (request.headers.authorization !== undefined) await identifyReader(services, request)
    const data = await describeCapabilities(services, request.headers['user-agent'] ?? '')
    return sendOcs(request, reply, { status: 200, data })
  })

  ocs.get('/cloud/user', async (request, reply) => {
    const user = await identifyReader(services, request)
    return sendOcs(request, reply, { status: 200, data: await describeUser(services.db, user) })
  })

  ocs.get<{ Params: { user: string } }>('/cloud/users/:user', async (request, reply) => {
    const user = await identifyReader(services, request)
    if (request.params.user.toLowerCase() !== user.email) throw new AppError('not_found', 'User does not exist')
    return sendOcs(request, reply, { status: 200, data: await describeUser(services.db, user) })
  })

  // The desktop client asks for it before `/cloud/user`.
  ocs.get('/config', async (request, reply) => {
    const { host, protocol } = new URL(services.config.publicUrl)
    const { name } = await readBrand(services)
    const data = { version: '1.7', website: name, host, contact: '', ssl: String(protocol === 'https:') }
    return sendOcs(request, reply, { status: 200, data })
  })

  // Only for clients that signed in with the password of the account. Nextcloud refuses app passwords with the same status.
  ocs.get('/core/getapppassword', async (request) => {
    await authenticateBasic(services, request)
    throw new AppError('forbidden', 'You already use an app password.')
  })

  // Clients call it when the user signs out. Every app password may delete itself.
  ocs.delete('/core/apppassword', async (request, reply) => {
    assertSentByProgram(request)
    const { id: userId, email, appPassword } = await authenticateBasic(services, request)
    await deleteAppPassword(services, { id: (appPassword as AppPasswordUse).id, userId })
    logSecurity({ log: services.log, ip: request.ip }, 'app_password_revoked', { account: email })
    return sendOcs(request, reply, { status: 200 })
  })

  shareRoutes(ocs, services)
  ocs.all('/*', { onRequest: refuse }, refuse)
}

/** Before a byte of a body is read. */
async function refuse(): Promise<never> {
  throw new AppError('not_found', 'Invalid query, please check the syntax.')
}
