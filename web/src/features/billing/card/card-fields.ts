/** A card as it is typed: formatted while it grows, judged once a field is left. */
export interface CardFields {
  readonly number: string
  readonly expiry: string
  readonly cvc: string
}

export const emptyCard: CardFields = { number: '', expiry: '', cvc: '' }

/** Where a number is split for reading, how many digits it can have, and how many its code has. */
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

/** The brand's name once the first digits tell it. */
export function findBrand(number: string): string | undefined {
  return brandOf(number).name
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** `4242 4242 4242 4242`, and `3782 822463 10005` where that is how the card has it. */
export function formatNumber(text: string): string {
  const { gaps, lengths } = brandOf(text)
  const digits = [...digitsOf(text)].slice(0, Math.max(...lengths))
  return digits.map((digit, index) => (gaps.some((gap) => gap === index) ? ` ${digit}` : digit)).join('')
}

/** `08 / 29`; a first digit that starts no month of two gets its zero, and a year of four keeps its last two. */
export function formatExpiry(text: string): string {
  const [first = '', rest] = text.split('/')
  const padded = rest !== undefined && digitsOf(first).length === 1 ? `0${digitsOf(first)}` : digitsOf(first)
  const month = /^[2-9]/.test(padded) ? `0${padded}` : padded
  const digits = month + digitsOf(rest ?? '')
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${shortenYear(digits.slice(2))}` : digits
}

/** `29`, also for `2029`, which is let be while it is typed. */
function shortenYear(year: string): string {
  if (!year.startsWith('20')) return year.slice(0, 2)
  return year.length < 4 ? year : year.slice(2, 4)
}

export function formatCvc(text: string): string {
  return digitsOf(text).slice(0, 4)
}

/** What is wrong with each field of a card, in words; a field that is right is not in it. */
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

/** The check that catches a mistyped digit, and most swapped ones. */
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
  // A card is good to the end of its month.
  const isPast = year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1
  if (isPast) return 'This card has expired.'
  return year > now.getFullYear() + 50 ? 'This year is not valid.' : undefined
}

/** Month and year as numbers. */
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
