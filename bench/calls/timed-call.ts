import type { AnyCall } from '@alcove/contract/call'
import { uploadFiles } from '@alcove/contract/uploads'
import { TestClient, type TestRequest } from '@alcove/server/testing/clients/client'
import type { SentRequest } from '../client/jobs.ts'
import type { Caller, Turn } from './caller.ts'

export interface TimedCall {
  call: AnyCall
  input(own: Caller, turn: Turn): Record<string, unknown>
  /** Distinguishes several uses of the same call in the table. */
  as?: string
  /** The session to use if it isn't the caller's, such as one that the call ends. */
  token?(turn: Turn): string
}

export function timed(call: AnyCall, input: TimedCall['input'], as?: string): TimedCall {
  return { call, input, ...(as !== undefined && { as }) }
}

export function plain(...calls: AnyCall[]): TimedCall[] {
  return calls.map((call) => timed(call, () => ({})))
}

export function by(token: (turn: Turn) => string, ...calls: TimedCall[]): TimedCall[] {
  return calls.map((call) => ({ ...call, token }))
}

type Fields = Record<string, string | number | boolean | null | undefined>

/** Returns the request that the test client would send for a call, so that another process can send it. Files have 1 KiB. */
export async function recordRequest(
  { url, token }: { url: string; token: string },
  call: AnyCall,
  input: Record<string, unknown>,
): Promise<SentRequest> {
  const requests: TestRequest[] = []
  const recorder = new TestClient(
    {
      inject: async (request) => {
        requests.push(request)
        return { statusCode: 200, headers: {}, rawPayload: Buffer.alloc(0) }
      },
    },
    token,
  )
  if (call === uploadFiles)
    await recorder.sendFiles(input.files as Fields[], 'x'.repeat(1024 * (input.files as Fields[]).length))
  else if (call.requestType === 'multipart') await recorder.sendChunk(input as Fields, 'x'.repeat(1024))
  else await recorder.raw(call, input)
  const [{ method, url: path, headers, payload }] = requests as [TestRequest]
  const address = { method, url: `${url}${path}` }
  if (payload === undefined) return { ...address, headers: { ...headers } }
  if (payload instanceof Buffer) return { ...address, headers: { ...headers }, body: payload.toString() }
  return { ...address, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(payload) }
}
