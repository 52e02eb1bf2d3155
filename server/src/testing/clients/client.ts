import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type AnyCall, type InputOf, type OutputOf, pathParameters } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { uploadChunk, uploadFiles } from '@alcove/contract/uploads'
import type { LightMyRequestResponse } from 'fastify'
import { readOrLeave } from './event-reader.ts'

export interface TestResponse<Body> {
  status: number
  body: Body
  headers: LightMyRequestResponse['headers']
  bytes: Buffer
}

type Fields = Record<string, string | number | boolean | null | undefined>

export interface TestRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  url: string
  headers?: Record<string, string>
  payload?: string | object | Buffer
  /** Resolves when the headers have arrived, because the response may never end. */
  payloadAsStream?: boolean
}

/** Sends requests: to the app in this process, or to a server over HTTP (`over-http.ts`). */
export interface Transport {
  inject(
    request: TestRequest,
  ): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'> & { stream?: () => Readable }>
}

/** Makes calls of the contract to the app, as a browser with a session, or as a visitor without one. */
export class TestClient {
  readonly #transport: Transport
  readonly #token: string | undefined

  constructor(transport: Transport, token?: string) {
    this.#transport = transport
    this.#token = token
  }

  /**
   * Makes a call. An error response is returned as `ErrorBody`. Other responses are validated with the whole schema, because
   * the server validates the elements of lists less strictly.
   */
  async call<C extends AnyCall>(call: C, input: InputOf<C>): Promise<TestResponse<OutputOf<C> & Partial<ErrorBody>>> {
    const response = await this.raw<OutputOf<C> & Partial<ErrorBody>>(call, input as Fields)
    if (response.status < 300 && call.responseType === 'json') call.output.parse(response.body)
    return response
  }

  /** Makes a call with any input, even one that the contract doesn't allow. */
  async raw<Body = Partial<ErrorBody> & Record<string, unknown>>(
    call: AnyCall,
    input: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<TestResponse<Body>> {
    const inPath = pathParameters(call.path)
    const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(input[name])))
    const rest = Object.fromEntries(
      Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined),
    )
    const isBody = call.method === 'POST' || call.method === 'PUT'
    const query = isBody ? '' : `?${new URLSearchParams(rest as Record<string, string>)}`
    return this.request<Body>({
      method: call.method,
      url: `/api${path}${query}`,
      headers,
      ...(isBody && { payload: rest }),
      ...(call.responseType === 'events' && { payloadAsStream: true }),
    })
  }

  async request<Body = Partial<ErrorBody> & Record<string, unknown>>(
    request: TestRequest,
  ): Promise<TestResponse<Body>> {
    const authorization: Record<string, string> = this.#token ? { authorization: `Bearer ${this.#token}` } : {}
    const response = await this.#transport.inject({ ...request, headers: { ...authorization, ...request.headers } })
    const type = String(response.headers['content-type'])
    const bytes =
      request.payloadAsStream && response.stream ? await readOrLeave(type, response.stream()) : response.rawPayload
    return {
      status: response.statusCode,
      body: (type.includes('application/json') ? JSON.parse(bytes.toString()) : undefined) as Body,
      headers: response.headers,
      bytes,
    }
  }

  /** Sends one chunk as a form; `chunkFirst` puts the bytes before the fields. */
  async sendChunk<Body = Partial<ErrorBody> & Record<string, unknown>>(
    fields: Fields,
    chunk: Uint8Array<ArrayBuffer> | string | undefined,
    options: { chunkFirst?: boolean } = {},
  ): Promise<TestResponse<Body>> {
    const form = new FormData()
    const addChunk = () => {
      if (chunk !== undefined) form.append('chunk', new Blob([chunk]), 'blob')
    }
    if (options.chunkFirst) addChunk()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
    if (!options.chunkFirst) addChunk()
    return this.#sendForm(uploadChunk, form)
  }

  /** Sends small files in one request: their descriptions, or any text instead, and all their bytes. */
  sendFiles(
    files: readonly Fields[] | string,
    bytes: Uint8Array<ArrayBuffer> | string,
  ): Promise<TestResponse<Partial<OutputOf<typeof uploadFiles> & ErrorBody>>> {
    const form = new FormData()
    form.append('files', typeof files === 'string' ? files : JSON.stringify(files))
    form.append('chunk', new Blob([bytes]), 'blob')
    return this.#sendForm(uploadFiles, form)
  }

  async #sendForm<Body>(call: AnyCall, form: FormData): Promise<TestResponse<Body>> {
    const encoded = new Response(form)
    return this.request<Body>({
      method: 'POST',
      url: `/api${call.path}`,
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }

  /** Uploads a whole file in one request. Returns the File. */
  async upload(
    filename: string,
    content: Uint8Array<ArrayBuffer> | string,
    fields: Fields = {},
  ): Promise<{ id: string; filename: string } & Record<string, unknown>> {
    const { status, body } = await this.sendChunk<{ id: string; filename: string } & Record<string, unknown>>(
      { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true, ...fields },
      content,
    )
    if (status !== 201) throw new Error(`the upload of ${filename} failed: ${JSON.stringify(body)}`)
    return body
  }
}
