import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { nothingHere } from '../../../errors.ts'
import { isSignatureOf, signParts } from '../../../platform/crypto/secrets.ts'
import { isPassedOn, unmapped } from '../../../platform/http/client-address.ts'
import { codeOf } from './error-code.ts'

const PATH = '/self-test'
/** How long a question to the public address can be answered, in milliseconds. */
const VALID_FOR = 60_000
const MAX_ANSWER = 4096

/** How a request through the public address arrives here. */
const arrival = z.object({
  proof: z.string(),
  protocol: z.string(),
  /** Who opened the connection to the server: a proxy, or the client itself. */
  peer: z.string(),
  /** Whether headers of a proxy were there, and whether they name the client. */
  isForwarded: z.boolean(),
  namesClient: z.boolean(),
  isTrusted: z.boolean(),
})
export type Arrival = Omit<z.infer<typeof arrival>, 'proof'>

/** What came back from the public address. */
export type AddressProbe =
  | { readonly kind: 'own'; readonly arrival: Arrival }
  | { readonly kind: 'other'; readonly status: number; readonly location: string | null }
  | { readonly kind: 'unreachable'; readonly code: string }

/**
 * Answers requests that this Alcove has sent to its own public address. Only whoever knows its secret can ask, so it tells strangers
 * nothing. Any of several servers can answer.
 */
export function selfTestRoute(api: FastifyInstance, { secrets, clock }: Services): void {
  api.get(`${PATH}/:expires/:nonce/:signature`, { logLevel: 'warn' }, async (request, reply) => {
    const { expires = '', nonce = '', signature = '' } = request.params as Record<string, string>
    const isOwn = isSignatureOf(secrets.selfTestKey, ['ask', expires, nonce], signature)
    if (!isOwn || !(Number(expires) > clock.now())) throw nothingHere()
    void reply.header('cache-control', 'no-store')
    return { proof: signParts(secrets.selfTestKey, ['answer', expires, nonce]), ...describeArrival(request) }
  })
}

function describeArrival(request: FastifyRequest): Arrival {
  return {
    protocol: request.protocol,
    peer: unmapped(request.socket.remoteAddress ?? ''),
    isForwarded: isPassedOn(request),
    namesClient: request.headers['x-forwarded-for'] !== undefined,
    // Fastify goes on to the next address only from one that it trusts.
    isTrusted: (request.ips?.length ?? 0) > 1,
  }
}

/** Sends a request to the public address, and returns whether this Alcove answers there, and how the request arrived. */
export async function probeAddress(
  { config, secrets, clock }: Pick<Services, 'config' | 'secrets' | 'clock'>,
  signal: AbortSignal,
): Promise<AddressProbe> {
  const expires = String(clock.now() + VALID_FOR)
  const nonce = randomBytes(16).toString('hex')
  const asked = `${PATH}/${expires}/${nonce}/${signParts(secrets.selfTestKey, ['ask', expires, nonce])}`
  try {
    const response = await fetch(`${config.publicUrl}/api${asked}`, { redirect: 'manual', signal })
    const answer = await readAnswer(response)
    if (answer && isSignatureOf(secrets.selfTestKey, ['answer', expires, nonce], answer.proof)) {
      const { proof: _proof, ...found } = answer
      return { kind: 'own', arrival: found }
    }
    return { kind: 'other', status: response.status, location: response.headers.get('location') }
  } catch (error) {
    const { cause } = error as { cause?: unknown }
    return { kind: 'unreachable', code: signal.aborted ? 'ETIMEDOUT' : codeOf(cause ?? error) }
  }
}

/** Reads a short answer, and nothing more: something else may answer at the address. */
async function readAnswer(response: Response): Promise<z.infer<typeof arrival> | undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true })
    if (text.length > MAX_ANSWER) return undefined
  }
  try {
    return arrival.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
