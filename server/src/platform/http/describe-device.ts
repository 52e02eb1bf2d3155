import { isIPv4, isIPv6 } from 'node:net'

const UNKNOWN_DEVICE = 'Unknown device'
const MAX_LENGTH = 60

/** The first that fits: most browsers also claim to be those that came before them. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(A|iOS|e)?\//, 'Edge'],
  [/\b(OPR|OPT|OPX)\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** Browser and system by what the browser says of itself, like `Chrome on Windows`: no versions, so that it stays the same. */
export function describeDevice(userAgent: string): string {
  const browser = nameIn(browsers, userAgent) ?? nameOfProgram(userAgent)
  const system = nameIn(systems, userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? UNKNOWN_DEVICE
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}

/** What is no browser begins with its name: `curl/8.5.0`. */
function nameOfProgram(userAgent: string): string | undefined {
  const name = /^([A-Za-z][\w.-]*)\//.exec(userAgent)?.[1]
  return name === undefined || name === 'Mozilla' ? undefined : name.slice(0, MAX_LENGTH)
}

/** The part of the net that an address is in, by which its user is known again: the first 24 bits, of IPv6 the first 48. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  const address = mapped ?? ip
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  if (!isIPv6(address)) return address
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const first = before === '' ? [] : before.split(':')
  // What `::` stands for are zeros; an address without one has all its parts in the first.
  const parts = after === undefined ? first : [...first, '0', '0', '0']
  const prefix = parts.slice(0, 3).map((part) => Number.parseInt(part, 16).toString(16))
  return `${prefix.join(':')}::/48`
}
