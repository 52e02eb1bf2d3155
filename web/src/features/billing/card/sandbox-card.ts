import { CardRefused, type ConfirmCard } from './use-update-card.ts'

/** A test card as typed: formatted while typing, validated when a field loses focus. */
export interface CardFields {
  readonly number: string
  readonly expiry: string
  readonly cvc: string
}

export const emptyCard: CardFields = { number: '', expiry: '', cvc: '' }

/** `gaps` is where a number is split for reading, `lengths` how many digits it can have, `cvc` how many its code has. */
const brands = [
  { name: 'amex', starts: /^3[47]/, gaps: [4, 10], lengths: [15], cvc: 4 },
  { name: 'visa', starts: /^4/, gaps: [4, 8, 12, 16], lengths: [13, 16, 19], cvc: 3 },
  { name: 'mastercard', starts: /^(5[1-5]|2[2-7])/, gaps: [4, 8, 12], lengths: [16], cvc: 3 },
  { name: 'discover', starts: /^6/, gaps: [4, 8, 12, 16], lengths: [16, 19], cvc: 3 },
] as const
const anyBrand = { name: undefined, gaps: [4, 8, 12, 16], lengths: [14, 15, 16, 17, 18, 19], cvc: 3 } as const

function brandOf(number: string) {
  return brands.find(({ starts }) => starts.test(digitsOf(number))) ?? anyBrand
}

/** Returns the name of the brand, once the first digits identify it. */
export function findBrand(number: string): string | undefined {
  return brandOf(number).name
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** Formats a card number the way the brand prints it: `4242 4242 4242 4242` or `3782 822463 10005`. */
export function formatNumber(text: string): string {
  const { gaps, lengths } = brandOf(text)
  const digits = [...digitsOf(text)].slice(0, Math.max(...lengths))
  return digits.map((digit, index) => (gaps.some((gap) => gap === index) ? ` ${digit}` : digit)).join('')
}

/** Formats an expiry as `08 / 29`: adds the zero of a month with one digit, and shortens a year of four digits. */
export function formatExpiry(text: string): string {
  const [first = '', rest] = text.split('/')
  const padded = rest !== undefined && digitsOf(first).length === 1 ? `0${digitsOf(first)}` : digitsOf(first)
  const month = /^[2-9]/.test(padded) ? `0${padded}` : padded
  const digits = month + digitsOf(rest ?? '')
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${shortenYear(digits.slice(2))}` : digits
}

/** Returns `29`, also for `2029`, but leaves an unfinished `202` as it is. */
function shortenYear(year: string): string {
  if (!year.startsWith('20')) return year.slice(0, 2)
  return year.length < 4 ? year : year.slice(2, 4)
}

export function formatCvc(text: string): string {
  return digitsOf(text).slice(0, 4)
}

/** Returns the problem of each field of a card. Valid fields are left out. */
export function findCardProblems(card: CardFields, now = new Date()): Partial<Record<keyof CardFields, string>> {
  return {
    ...problem('number', findNumberProblem(card.number)),
    ...problem('expiry', findExpiryProblem(card.expiry, now)),
    ...problem('cvc', findCvcProblem(card)),
  }
}

function problem(field: keyof CardFields, text: string | undefined) {
  return text === undefined ? {} : { [field]: text }
}

function findNumberProblem(number: string): string | undefined {
  const digits = digitsOf(number)
  if (digits === '') return 'Enter the number of your card.'
  if (digits.length < Math.min(...brandOf(number).lengths)) return 'This card number is not complete.'
  const isWhole = brandOf(number).lengths.some((length) => length === digits.length)
  return isWhole && passesLuhn(digits) ? undefined : 'This card number is not valid.'
}

/** The Luhn checksum: detects a mistyped digit, and most swapped ones. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function findExpiryProblem(expiry: string, now: Date): string | undefined {
  if (digitsOf(expiry) === '') return 'Enter the month and year on your card.'
  const { month, year } = readExpiry(expiry)
  if (digitsOf(expiry).length !== 4) return 'This date is not complete.'
  if (month < 1 || month > 12) return 'This month does not exist.'
  // A card is valid to the end of its month.
  const isPast = year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1
  if (isPast) return 'This card has expired.'
  return year > now.getFullYear() + 50 ? 'This year is not valid.' : undefined
}

/** Returns month and year as numbers. */
export function readExpiry(expiry: string): { readonly month: number; readonly year: number } {
  const digits = digitsOf(expiry)
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) }
}

function findCvcProblem({ number, cvc }: CardFields): string | undefined {
  const digits = digitsOf(cvc)
  if (digits === '') return 'Enter the security code of your card.'
  const brand = brandOf(number)
  if (digits.length < brand.cvc) return 'This code is not complete.'
  return brand.name && digits.length > brand.cvc ? 'This code is too long.' : undefined
}

interface Sandbox {
  readonly sandboxUrl: string
  readonly publishableKey: string
}

/** Returns the function that confirms a setup intent at the sandbox, as Stripe's own script does at Stripe. */
export function confirmAtSandbox({ sandboxUrl, publishableKey }: Sandbox, card: CardFields): ConfirmCard {
  return async (clientSecret) => {
    const [intentId = ''] = clientSecret.split('_secret_')
    const address = `${sandboxUrl}/v1/setup_intents/${encodeURIComponent(intentId)}/confirm`
    const body = new URLSearchParams({ client_secret: clientSecret, key: publishableKey, ...describeCard(card) })
    const response = await post(address, body)
    if (typeof response.payment_method === 'string') return response.payment_method
    throw new CardRefused(response.error?.message ?? '')
  }
}

function describeCard({ number, expiry, cvc }: CardFields): Record<string, string> {
  const { month, year } = readExpiry(expiry)
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': digitsOf(number),
    'payment_method_data[card][exp_month]': String(month),
    'payment_method_data[card][exp_year]': String(year),
    'payment_method_data[card][cvc]': digitsOf(cvc),
  }
}

interface SandboxResponse {
  readonly payment_method?: unknown
  readonly error?: { readonly message?: string }
}

async function post(address: string, body: URLSearchParams): Promise<SandboxResponse> {
  try {
    const response = await fetch(address, { method: 'POST', body, credentials: 'omit' })
    return (await response.json()) as SandboxResponse
  } catch {
    throw new CardRefused() // unreachable, or not a response in JSON
  }
}
