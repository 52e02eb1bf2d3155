import { z } from 'zod'
import { type AnyCall, pathParameters } from './call.ts'
import { callsByArea } from './calls.ts'
import { errorBody } from './errors.ts'

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema>; required?: string[] }

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: described }) => {
      // JSON in a form field is a string, and its schema is described as well.
      const isJsonText = described.contentMediaType === 'application/json' && zodSchema instanceof z.ZodPipe
      if (isJsonText) described.contentSchema = jsonSchema(zodSchema.out as z.ZodType, io)
    },
  }) as JsonSchema
  return rest
}

const RECENT_SIGN_IN =
  'Needs a recent sign-in. If the session began more than 15 minutes ago and was not confirmed by `/reauthenticate` ' +
  'since, the response is 403 `reauthentication_required`.'

/** Returns the API as an OpenAPI 3.1 document, generated from the calls. */
export function createOpenApi(serverUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [area, calls] of Object.entries(callsByArea)) {
    for (const [name, call] of Object.entries(calls)) {
      paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: describeOperation(area, name, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Alcove',
      version: '1',
      description:
        'Times are ISO 8601 in UTC, sizes are bytes. Every error is `{error, message, code}`. ' +
        'Send the session token from `/login` as `Authorization: Bearer …`. An app password is also such a token, for calls with ' +
        '`x-scope`: one for reading makes those with `read`, one for uploads those with `upload`, and one for reading and ' +
        'writing all of them. In a folder that somebody shares, its members make the calls with `x-role`, from that role upwards. With `x-role-at-target`, that is the role at the target folder.',
    },
    servers: [{ url: serverUrl }],
    tags: Object.keys(callsByArea).map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody, 'output') },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        appPassword: { type: 'http', scheme: 'bearer', description: 'From `POST /app-passwords`' },
        submission: { type: 'http', scheme: 'bearer', description: 'From `POST /public/{token}/submissions`' },
      },
    },
  }
}

function describeOperation(area: string, name: string, call: AnyCall) {
  const input = jsonSchema(call.input, 'input')
  const inPath = pathParameters(call.path)
  const required = input.required ?? []
  const fields = Object.entries(input.properties ?? {})
  const others = fields.filter(([field]) => !inPath.includes(field))
  // Some proxies drop the body of a DELETE, so its fields are accepted in the query too.
  const isInEither = call.method === 'DELETE'
  const inQuery = call.method === 'GET' || isInEither ? others : []
  const inBody = call.method === 'GET' ? [] : others
  const parameters = [
    ...fields
      .filter(([field]) => inPath.includes(field))
      .map(([field, schema]) => ({ name: field, in: 'path', required: true, schema })),
    ...inQuery.map(([field, schema]) => ({
      name: field,
      in: 'query',
      required: !isInEither && required.includes(field),
      ...(isInEither && { description: 'Here or in the body' }),
      schema,
    })),
  ]
  return {
    operationId: name,
    tags: [area],
    summary: call.summary,
    ...(call.recentSignIn && { description: RECENT_SIGN_IN, 'x-recent-sign-in': true }),
    ...(call.scope && { 'x-scope': call.scope }),
    ...(call.forMembers && { 'x-role': call.forMembers }),
    ...(call.forMembersAtTarget && { 'x-role-at-target': call.forMembersAtTarget }),
    security: describeSecurity(call),
    parameters,
    ...(inBody.length > 0 && { requestBody: describeBody(call, inBody, required) }),
    responses: {
      [call.status]: describeResponse(call),
      default: {
        description: 'Refused',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function describeSecurity({ access, scope, isForVisitors }: AnyCall) {
  if (access === 'public') return []
  return [{ session: [] }, ...(scope ? [{ appPassword: [] }] : []), ...(isForVisitors ? [{ submission: [] }] : [])]
}

function describeBody(call: AnyCall, body: [string, JsonSchema][], required: string[]) {
  const properties: Record<string, JsonSchema> = Object.fromEntries(body)
  if (call.requestType === 'multipart')
    properties.chunk = { type: 'string', contentMediaType: 'application/octet-stream' }
  const schema = { type: 'object', properties, required: required.filter((field) => field in properties) }
  return {
    required: call.method !== 'DELETE',
    content: { [call.requestType === 'multipart' ? 'multipart/form-data' : 'application/json']: { schema } },
  }
}

function describeResponse(call: AnyCall) {
  if (call.responseType === 'bytes') {
    return {
      description: 'The bytes. Range and If-None-Match are supported.',
      content: {
        'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    }
  }
  if (call.responseType === 'events') {
    return {
      description: 'Server-sent events. The schema is that of the data of one event.',
      content: { 'text/event-stream': { schema: jsonSchema(call.output, 'output') } },
    }
  }
  return { description: 'Done', content: { 'application/json': { schema: jsonSchema(call.output, 'output') } } }
}
