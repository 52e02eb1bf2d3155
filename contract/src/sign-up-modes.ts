/** Who can create an account: everyone, invited people, people with an address of certain domains, or nobody. */
export const signUpModes = ['open', 'invite', 'domain', 'closed'] as const
export type SignUpMode = (typeof signUpModes)[number]

/** Returns whether a text is a domain as in an email address, in lower case. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/.test(text)
}

/** Returns whether an address belongs to one of the domains. Subdomains are other domains. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/** Returns what registering needs, or undefined if everyone can. `domains` is text, such as `example.com or example.org`. */
export function describeSignUp(mode: SignUpMode, domains: string): string | undefined {
  if (mode === 'open') return undefined
  if (mode === 'closed') return 'Registration is closed.'
  if (mode === 'invite') return 'You need an invitation to register.'
  return `Only addresses of ${domains} can register.`
}

export function listDomains(domains: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(domains)
}
