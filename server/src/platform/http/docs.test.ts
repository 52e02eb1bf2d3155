import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const get = (url: string) => app.app.inject({ url, headers: { accept: 'text/html' } })

describe('the API documentation', () => {
  it('serves the OpenAPI document', async () => {
    const response = await get('/api/openapi.json')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ openapi: '3.1.0', paths: { '/login': { post: { operationId: 'login' } } } })
  })

  it('describes that a DELETE takes its fields from the body or from the query', async () => {
    const { paths } = (await get('/api/openapi.json')).json()
    const { parameters, requestBody } = paths['/favorite'].delete
    expect(parameters).toMatchObject([
      { name: 'itemType', in: 'query', required: false },
      { name: 'itemId', in: 'query', required: false },
    ])
    expect(requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { required: ['itemType', 'itemId'] } } },
    })
    expect(paths['/trash/restore/file/{id}'].post.requestBody).toBeUndefined()
    expect(paths['/file/{id}'].delete.requestBody).toBeUndefined()
  })

  it('serves a page that loads files from this server only', async () => {
    const { location } = (await get('/api/docs')).headers
    const response = await get(String(location))
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toMatch(/^text\/html/)
    expect(response.headers['content-security-policy']).toContain("script-src 'self'")
    expect(response.body).not.toMatch(/https?:\/\//)
    const addresses = [...response.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
    expect(addresses).toContain('/api/docs/swagger-ui-bundle.js')
    for (const address of addresses) expect((await get(address)).statusCode, address).toBe(200)
  })

  it('serves no other files of the Swagger UI package', async () => {
    for (const file of [
      'package.json',
      'swagger-initializer.js',
      'swagger-ui-bundle.js.map',
      'index.css',
      '..%2fdocs.ts',
    ]) {
      expect((await get(`/api/docs/${file}`)).statusCode, file).toBe(404)
    }
  })
})
