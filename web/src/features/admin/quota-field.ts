import { GIGABYTE } from '@alcove/contract/limits'

/** Returns a quota as text for a field that takes gigabytes; empty for none. */
export function writeQuota(bytes: number | null): string {
  return bytes === null ? '' : String(Number((bytes / GIGABYTE).toFixed(3)))
}

/** Reads a field that takes gigabytes. Returns null if it is empty, and undefined if it isn't a number. */
export function readQuota(text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  // Also with a comma, as in many countries.
  if (!/^\d{1,7}([.,]\d{1,3})?$/.test(trimmed)) return undefined
  return Math.round(Number(trimmed.replace(',', '.')) * GIGABYTE)
}

export const QUOTA_PROBLEM = 'Enter a number of gigabytes, such as 50, or leave it empty.'
