// SURPRISE: elements of lists are checked by the shape of their schema, not by zod's `parse`.
// Measured: at ten thousand items, zod took as long as the query (docs/decisions/007-many-items.md).
// Remove it when: `z.parse` of a list of ten thousand items costs little beside reading it.

import { z } from 'zod'

type Output = (value: unknown) => unknown

/**
 * Compiles a call's output schema into the function that its responses pass through. It drops unknown keys, so that no column
 * leaks by accident, and throws for values that don't fit.
 *
 * It is zod's `parse` except for the elements of lists. Those are checked by the shape of the schema: unknown keys are dropped and
 * each value must have its type, but the format of texts (a UUID, a time) is not checked. Tests parse every response by the whole
 * schema.
 */
export function compileOutput(schema: z.ZodType): Output {
  if (schema instanceof z.ZodArray) return listOf(schema)
  if (schema instanceof z.ZodObject && isPlain(schema) && Object.values(schema.shape).some(isList)) {
    return objectOf(schema, (field) => compileOutput(field as z.ZodType))
  }
  return (value) => schema.parse(value)
}

function isList(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodArray
}

/** Returns whether a schema has no rule beyond its keys. */
function isPlain({ def }: z.ZodObject): boolean {
  return def.catchall === undefined && (def.checks ?? []).length === 0
}

function listOf(schema: z.ZodArray): Output {
  if ((schema.def.checks ?? []).length > 0) return (value) => schema.parse(value)
  const element = shapeOf(schema.element)
  return (value) => (Array.isArray(value) ? value.map(element) : misfit('a list', value))
}

function objectOf(schema: z.ZodObject, outputOf: (field: z.core.$ZodType) => Output): Output {
  const fields = Object.entries(schema.shape).map(([key, field]) => ({ key, output: outputOf(field) }))
  return (value) => {
    if (typeof value !== 'object' || value === null) return misfit('an object', value)
    const kept: Record<string, unknown> = {}
    for (const { key, output } of fields) {
      const field = output((value as Record<string, unknown>)[key])
      if (field !== undefined) kept[key] = field
    }
    return kept
  }
}

/** Compiles a schema by its type; types that are not handled here are left to zod. */
function shapeOf(schema: z.core.$ZodType): Output {
  if (schema instanceof z.ZodObject && isPlain(schema)) return objectOf(schema, shapeOf)
  if (schema instanceof z.ZodArray) return listOf(schema)
  if (schema instanceof z.ZodDiscriminatedUnion) return unionOf(schema)
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const nothing = schema instanceof z.ZodNullable ? null : undefined
    const inner = shapeOf(schema.def.innerType)
    return (value) => (value === nothing ? value : inner(value))
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) {
    return (value) => (typeof value === 'string' ? value : misfit('a text', value))
  }
  if (schema instanceof z.ZodNumberFormat) {
    return (value) => (Number.isSafeInteger(value) ? value : misfit('a whole number', value))
  }
  if (schema instanceof z.ZodBoolean) {
    return (value) => (typeof value === 'boolean' ? value : misfit('a boolean', value))
  }
  if (schema instanceof z.ZodLiteral) {
    return (value) => (schema.values.has(value as z.core.util.Literal) ? value : misfit('a constant', value))
  }
  return (value) => z.parse(schema, value)
}

function unionOf(schema: z.ZodDiscriminatedUnion): Output {
  const { discriminator, options } = schema.def
  const outputs = new Map<unknown, Output>()
  for (const option of options) {
    const key = option instanceof z.ZodObject ? option.shape[discriminator] : undefined
    if (!(key instanceof z.ZodLiteral)) return (value) => schema.parse(value)
    for (const value of key.values) outputs.set(value, shapeOf(option))
  }
  return (value) => {
    const output = outputs.get((value as Record<string, unknown> | null)?.[discriminator])
    return output ? output(value) : misfit(`an object with ${discriminator}`, value)
  }
}

function misfit(expected: string, value: unknown): never {
  throw new TypeError(`A response does not match its schema: got ${typeof value}, expected ${expected}.`)
}
