import { randomUUID } from 'node:crypto'
import { type AnyCall, type InputOf, type OutputOf, pathParameters } from '@alcove/contract/call'
import type { ErrorBody } from '@alcove/contract/errors'
import { uploadChunk, uploadFiles } from '@alcove/contract/uploads'
import type { LightMyRequestResponse } from 'fastify'

export interface Answer<Body> {
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
}

/** Whatever answers requests: the app in this process, or a server over HTTP (`over-http.ts`). */
export interface Answering {
  inject(request: TestRequest): Promise<Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'rawPayload'>>
}

/** Makes calls of the contract to the app, as a browser with a session, or as a visitor without one. */
export class TestClient {
  readonly #app: Answering
  readonly #token: string | undefined

  constructor(app: Answering, token?: string) {
    this.#app = app
    this.#token = token
  }

  /**
   * Makes a call; the response may be a refusal, which is read as `ErrorBody`. Any other is held against the whole schema:
   * the server looks at the elements of lists less closely.
   */
  async call<C extends AnyCall>(call: C, input: InputOf<C>): Promise<Answer<OutputOf<C> & Partial<ErrorBody>>> {
    const answer = await this.raw<OutputOf<C> & Partial<ErrorBody>>(call, input as Fields)
    if (answer.status < 300 && call.responseType === 'json') call.output.parse(answer.body)
    return answer
  }

  /** Makes a call with any input, also with one that the contract does not allow. */
  async raw<Body = Partial<ErrorBody> & Record<string, unknown>>(
    call: AnyCall,
    input: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
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
    })
  }

  async request<Body = Partial<ErrorBody> & Record<string, unknown>>(request: TestRequest): Promise<Answer<Body>> {
    const authorization: Record<string, string> = this.#token ? { authorization: `Bearer ${this.#token}` } : {}
    const response = await this.#app.inject({ ...request, headers: { ...authorization, ...request.headers } })
    const isJson = String(response.headers['content-type']).includes('application/json')
    return {
      status: response.statusCode,
      body: (isJson ? JSON.parse(response.rawPayload.toString()) : undefined) as Body,
      headers: response.headers,
      bytes: response.rawPayload,
    }
  }

  /** Sends one chunk as a form; `chunkFirst` puts the bytes before the fields. */
  async sendChunk<Body = Partial<ErrorBody> & Record<string, unknown>>(
    fields: Fields,
    chunk: Uint8Array<ArrayBuffer> | string | undefined,
    options: { chunkFirst?: boolean } = {},
  ): Promise<Answer<Body>> {
    const form = new FormData()
    const addChunk = () => {
      if (chunk !== undefined) form.append('chunk', new Blob([chunk]), 'blob')
    }
    if (options.chunkFirst) addChunk()
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
    if (!options.chunkFirst) addChunk()
    return this.#sendForm(uploadChunk, form)
  }

  /** Sends small files together: their descriptions, or any text instead, and all their bytes. */
  sendFiles(
    files: readonly Fields[] | string,
    bytes: Uint8Array<ArrayBuffer> | string,
  ): Promise<Answer<Partial<OutputOf<typeof uploadFiles> & ErrorBody>>> {
    const form = new FormData()
    form.append('files', typeof files === 'string' ? files : JSON.stringify(files))
    form.append('chunk', new Blob([bytes]), 'blob')
    return this.#sendForm(uploadFiles, form)
  }

  async #sendForm<Body>(call: AnyCall, form: FormData): Promise<Answer<Body>> {
    const encoded = new Response(form)
    return this.request<Body>({
      method: 'POST',
      url: `/api${call.path}`,
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }

  /** Uploads a whole file in one request; answers the File. */
  async upload(
    filename: string,
    content: Uint8Array<ArrayBuffer> | string,
    fields: Fields = {},
  ): Promise<{ id: string; filename: string } & Record<string, unknown>> {
    const answer = await this.sendChunk<{ id: string; filename: string } & Record<string, unknown>>(
      { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, complete: true, ...fields },
      content,
    )
    if (answer.status !== 201) throw new Error(`the upload of ${filename} was refused: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
}
