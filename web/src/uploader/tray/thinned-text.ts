import { formatSize } from '../../lib/format.ts'

// Apart from the other texts of uploads, which the first screen doesn't need.

/** Says how much the server deleted of earlier versions to make space for an upload. */
export function describeThinned(bytes: number): string {
  return `${formatSize(bytes)} of earlier versions was removed to make space.`
}
