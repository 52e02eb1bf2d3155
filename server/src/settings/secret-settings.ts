const MASK = '********'

/** Names of settings whose whole value is secret. The id of a key and a key for browsers are not. */
const SECRET_NAME = /SECRET|TOKEN|PASSWORD(?!_SIGN_IN)|(?<!PUBLISHABLE_)KEY$/

/** Returns whether a value, if there is one, contains a secret. */
export function isSecret(name: string, value: string): boolean {
  return maskSecret(name, value) !== value
}

/** Returns the value of a setting without its secrets: with a mask in place of the value, or of the password in a URL. */
export function maskSecret(name: string, value: string): string {
  if (value === '') return value
  if (SECRET_NAME.test(name)) return MASK
  return value
    .replace(/\b([a-z][a-z\d+.-]*:\/\/[^/\s?#:]*:)[^/\s]*@/gi, `$1${MASK}@`)
    .replace(/([?&][^=&\s]*(?:password|secret|token|key)=)[^&\s]*/gi, `$1${MASK}`)
}
