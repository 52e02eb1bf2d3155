import { OidcError } from './oidc-error.ts'

/** An error of the library, or one of its causes. */
interface Described {
  readonly name?: string
  readonly message?: string
  readonly code?: string
  readonly error?: string
  readonly claim?: string
  readonly attribute?: string
  readonly cause?: unknown
}

/** Why a claim of an ID token is refused. */
const claimReasons: Readonly<Record<string, string>> = {
  iss: 'its ID token was issued by somebody else',
  aud: 'its ID token was issued to another application',
  azp: 'its ID token was issued to another application',
  nonce: 'its ID token belongs to another sign-in',
  exp: 'its ID token has expired',
  nbf: 'its ID token is from the future',
  auth_time: 'you did not sign in there again',
}

const START_AGAIN = 'it was already used or has expired'

/** Turns an error of the library into one that says why the sign-in failed. */
export function explainFailure(error: unknown): OidcError {
  const chain = causesOf(error)
  const own = chain.find((one) => one instanceof OidcError)
  if (own) return own
  const has = (code: string) => chain.some((one) => one.code === code)
  const says = (words: RegExp) => chain.some((one) => words.test(one.message ?? ''))
  const fail = (failure: OidcError['failure'], message: string, fix?: string) =>
    new OidcError(failure, message, { fix, cause: error })

  if (has('OAUTH_TIMEOUT')) {
    return fail(
      'unreachable',
      'it takes too long to respond',
      'Check {ISSUER}, and whether this server can open that address.',
    )
  }
  const refusal = chain.find((one) => one.name === 'AuthorizationResponseError')
  if (refusal) return explainRefusal(refusal.error, fail)
  const answer = chain.find((one) => one.name === 'ResponseBodyError')
  if (answer) return explainAnswer(answer.error, fail)
  if (has('OAUTH_WWW_AUTHENTICATE_CHALLENGE')) return explainAnswer('invalid_client', fail)
  if (chain.some((one) => one.attribute === 'issuer')) {
    return fail(
      'misconfigured',
      'its discovery document is of another issuer',
      'Copy {ISSUER} exactly as the provider shows it, including a slash at its end.',
    )
  }
  if (chain.some((one) => one.attribute === 'sub')) return fail('untrusted', 'its user info is of another person')
  const claim = chain.find((one) => one.claim !== undefined)?.claim
  if (claim !== undefined)
    return fail('untrusted', claimReasons[claim] ?? `the claim ${claim} of its ID token is wrong`)
  if (says(/"iss" \(issuer\) (missing|response)|response parameter "iss"|"iss" \(issuer\) response/)) {
    return fail('untrusted', 'the response doesn’t come from this provider')
  }
  if (says(/"state"/)) return fail('untrusted', 'the response belongs to another sign-in')
  if (says(/"nonce".* claim missing/)) return fail('untrusted', 'its ID token belongs to another sign-in')
  if (has('OAUTH_KEY_SELECTION_FAILED'))
    return fail('untrusted', 'its ID token is signed with a key that it doesn’t publish')
  if (says(/JWE/)) {
    return fail('misconfigured', 'its ID token is encrypted', 'Switch the encryption of ID tokens off there.')
  }
  if (says(/signature|"alg"|unsupported JWS|Invalid JWT|multiple applicable keys/)) {
    return fail('untrusted', 'the signature of its ID token is missing or wrong')
  }
  if (has('OAUTH_RESPONSE_IS_NOT_CONFORM') || has('OAUTH_RESPONSE_IS_NOT_JSON') || has('OAUTH_PARSE_ERROR')) {
    return fail(
      'unreachable',
      'its response is not the one of an OpenID Connect provider',
      'Check {ISSUER}: with /.well-known/openid-configuration at its end, the address must show a JSON document.',
    )
  }
  if (says(/only requests to HTTPS/)) return fail('misconfigured', 'it uses unencrypted addresses', 'Check {ISSUER}.')
  if (error instanceof TypeError && says(/fetch failed/)) {
    return fail('unreachable', 'it can’t be reached', 'Check {ISSUER}, and whether this server can open that address.')
  }
  if (says(/"id_token"/)) return fail('misconfigured', 'it sent no ID token', '{SCOPES} must contain openid.')
  return fail('untrusted', 'its response could not be verified')
}

/** The provider sent the browser back with an error. Its text isn't shown: anybody can write such an address. */
function explainRefusal(
  code: string | undefined,
  fail: (failure: OidcError['failure'], message: string, fix?: string) => OidcError,
): OidcError {
  if (code === 'access_denied') return fail('denied', 'it was cancelled or not allowed there')
  if (code === 'invalid_scope') return fail('misconfigured', 'it doesn’t know a scope', 'Check {SCOPES}.')
  if (code === 'temporarily_unavailable' || code === 'server_error') return fail('unreachable', 'it is not available')
  return fail('denied', 'it refused')
}

/** The token endpoint responded with an error. */
function explainAnswer(
  code: string | undefined,
  fail: (failure: OidcError['failure'], message: string, fix?: string) => OidcError,
): OidcError {
  if (code === 'invalid_grant') return fail('expired', START_AGAIN)
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return fail('misconfigured', 'it doesn’t accept this server', 'Check {CLIENT_ID} and {CLIENT_SECRET}.')
  }
  return fail('denied', 'it refused')
}

function causesOf(error: unknown): (Described & object)[] {
  const chain: (Described & object)[] = []
  for (let one = error; typeof one === 'object' && one !== null && chain.length < 8; one = (one as Described).cause) {
    chain.push(one)
  }
  return chain
}
