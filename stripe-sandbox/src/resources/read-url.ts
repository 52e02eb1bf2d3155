import type { Parameters } from '../http/parameters.ts'
import { invalid } from '../http/stripe-error.ts'

/** An address that browsers are sent to: http or https and nothing else. */
export function readUrl(params: Parameters, field: string): string | undefined {
  const url = params.text(field)
  if (!url) return undefined
  const protocol = URL.canParse(url) ? new URL(url).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw invalid('Not a valid URL', params.nameOf(field), 'url_invalid')
  }
  return url
}
