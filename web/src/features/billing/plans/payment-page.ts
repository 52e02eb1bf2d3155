/** The address of a page to pay on, as far as a browser may be sent there; undefined for anything but a web page. */
export function findPaymentPage(url: unknown, base: string): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url, base)) return undefined
  const { protocol, href } = new URL(url, base)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}
