export const UNKNOWN_DEVICE = 'Unknown device'
const MAX_LENGTH = 60
/** Browsers send less. A longer text is an attempt to make the search below slow. */
const LOOKED_AT = 512

/** The first match wins: most browsers also claim to be their predecessors. The first ones are clients of WebDAV. */
const programs: readonly (readonly [RegExp, string])[] = [
  [/^WebDAV(FS|Lib)\//, 'Finder'],
  [/^Microsoft-WebDAV-MiniRedir\//, 'Windows Explorer'],
  [/^Microsoft Office\b/, 'Microsoft Office'],
  [/^LibreOffice\b/, 'LibreOffice'],
  [/^gvfs\//, 'GNOME Files'],
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

/** Returns the program, such as a browser, and the system from a user agent header, like `Chrome on Windows`: without versions, so that it stays the same. */
export function describeDevice(userAgentHeader: string): string {
  const userAgent = userAgentHeader.slice(0, LOOKED_AT)
  const program = nameIn(programs, userAgent) ?? nameOfProgram(userAgent)
  const system = nameIn(systems, userAgent)
  if (program && system) return `${program} on ${system}`
  return program ?? system ?? UNKNOWN_DEVICE
}

function nameIn(names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent))?.[1]
}

/** Returns the name of a client that is not a browser; its header starts with it: `curl/8.5.0`. */
function nameOfProgram(userAgent: string): string | undefined {
  const name = /^([A-Za-z][\w.-]*)\//.exec(userAgent)?.[1]
  return name === undefined || name === 'Mozilla' ? undefined : name.slice(0, MAX_LENGTH)
}
