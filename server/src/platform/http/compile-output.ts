import { z } from 'zod'

type Output = (value: unknown) => unknown

/**
 * Makes of a call's output schema what its answers pass: what is not in the schema is dropped, so that no column gets
 * out by accident, and what does not fit is an error of ours.
 *
 * All of it is zod's `parse`, but for the elements of lists: at ten thousand items that took as long as the query. There
 * the same is done by the schema's shape: unknown keys are dropped and each value must have its type, only what its
 * text looks like (a UUID, a time) is not looked at again. Tests parse every answer by the whole schema.
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

/** Without a rule that goes beyond its keys. */
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

/** By what a schema is made of; what is not known here is left to zod. */
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
  throw new TypeError(`An answer does not fit its description: ${typeof value} where ${expected} is expected.`)
}
