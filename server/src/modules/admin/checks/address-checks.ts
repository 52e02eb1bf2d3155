import { connect } from 'node:tls'
import { isLoopback } from '../../../config.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './check.ts'
import { codeOf } from './error-code.ts'

/** The server answers at its public address. */
export const publicAddress: Check = {
  id: 'public-address',
  label: 'Public address',
  async run({ services: { config }, probeAddress }) {
    const { publicUrl } = config
    const probe = await probeAddress()
    if (probe.kind === 'own') return ok(`This server answers at ${publicUrl}.`)
    if (probe.kind === 'unreachable') return describeUnreachable(publicUrl, probe.code)
    const { status, location } = probe
    if (status >= 300 && status < 400 && location !== null) {
      return failed(
        `${publicUrl} leads to another address, ${originOf(location, publicUrl)}.`,
        'Set ALCOVE_PUBLIC_URL to the address that users see in their browsers.',
      )
    }
    return failed(
      `Something else than this server answers at ${publicUrl} (HTTP ${status}).`,
      'Make the DNS name and the proxy lead to this server, or correct ALCOVE_PUBLIC_URL.',
    )
  },
}

function originOf(location: string, base: string): string {
  return URL.canParse(location, base) ? new URL(location, base).origin : 'which can’t be read'
}

const CERTIFICATE = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

function describeUnreachable(publicUrl: string, code: string): Finding {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return failed(
      `The name of ${publicUrl} can’t be resolved (${code}).`,
      'Add a DNS record for it, or correct ALCOVE_PUBLIC_URL.',
    )
  }
  if (CERTIFICATE.test(code)) {
    return failed(`The certificate of ${publicUrl} isn’t accepted (${code}).`, 'See the check of HTTPS.')
  }
  if (code === 'ETIMEDOUT' || code === 'EHOSTUNREACH') {
    return warning(
      `The server can’t reach itself at ${publicUrl} (${code}).`,
      'If it opens in your browser, your router only doesn’t lead back from inside. Otherwise open the port in the firewall and the router.',
    )
  }
  return failed(
    `Nothing answers at ${publicUrl} (${code}).`,
    'Start the server and the proxy in front of it, or correct ALCOVE_PUBLIC_URL.',
  )
}

/** The server learns from the proxy in front of it who its clients are. */
export const proxyHeaders: Check = {
  id: 'proxy',
  label: 'Proxy headers',
  async run({ services: { config }, probeAddress }) {
    const probe = await probeAddress()
    if (probe.kind !== 'own') return skipped('This server doesn’t answer at the public address.')
    const { isForwarded, namesClient, isTrusted, peer, protocol } = probe.arrival
    const isHttps = config.publicUrl.startsWith('https:')
    if (!isForwarded && !isHttps) return ok('There is no proxy: requests arrive directly.')
    if (!namesClient) {
      return failed(
        `The proxy at ${peer} doesn’t send X-Forwarded-For, so all users together count as one for rate limits.`,
        'Make it send X-Forwarded-For and X-Forwarded-Proto, as the files in deploy/nginx do.',
      )
    }
    if (!isTrusted) {
      return failed(
        `The proxy at ${peer} isn’t trusted, so all users together count as one for rate limits.`,
        `Set ALCOVE_TRUSTED_PROXIES=${peer} and restart the server.`,
      )
    }
    if (isHttps && protocol !== 'https') {
      return warning(
        `The proxy at ${peer} doesn’t send X-Forwarded-Proto: https, so browsers aren’t told to stay with HTTPS.`,
        'Make it send X-Forwarded-Proto, as the files in deploy/nginx do.',
      )
    }
    return ok(`The headers of the proxy at ${peer} are trusted.`)
  },
}

const DAY = 24 * 3_600_000
/** Certificates are usually renewed 30 days before they expire. */
const EXPIRES_SOON = 14 * DAY

/** The public address has HTTPS, with a certificate that browsers accept for some time to come. */
export const https: Check = {
  id: 'https',
  label: 'HTTPS',
  async run({ services: { config }, signal }) {
    const { protocol, hostname, port } = new URL(config.publicUrl)
    if (isLoopback(config.publicUrl)) return skipped('The public address is this machine, where HTTPS isn’t needed.')
    if (protocol !== 'https:') {
      return failed(
        `${config.publicUrl} isn’t encrypted: others in the network can read passwords and files, and the vault doesn’t work.`,
        'Put a proxy with a certificate in front of the server (docs/operations/running.md), and set ALCOVE_PUBLIC_URL to the https:// address.',
      )
    }
    const found = await readCertificate({ host: hostname, port: Number(port || 443), signal })
    if ('code' in found) return describeCertificateFailure(config.publicUrl, found.code)
    // The certificate is judged by the real time, as browsers do.
    const left = found.expiresAt - Date.now()
    const until = new Date(found.expiresAt).toISOString().slice(0, 10)
    if (left < EXPIRES_SOON) {
      return warning(
        `The certificate expires on ${until}.`,
        'Renew it, and check why it wasn’t renewed by itself, for example with “certbot renew --dry-run”.',
      )
    }
    return ok(`The certificate is valid until ${until}.`)
  },
}

function describeCertificateFailure(publicUrl: string, code: string): Finding {
  if (code === 'CERT_HAS_EXPIRED') return failed('The certificate has expired.', 'Renew it and reload the proxy.')
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return failed(`The certificate is for another name than that of ${publicUrl}.`, 'Get one for this name.')
  }
  if (CERTIFICATE.test(code)) {
    return failed(
      `The certificate isn’t signed by an authority that this machine knows, or the chain is incomplete (${code}).`,
      'Give the proxy the full chain (fullchain.pem), or use a certificate of a public authority such as Let’s Encrypt.',
    )
  }
  return skipped(`The certificate couldn’t be read (${code}).`)
}

interface CertificateAt {
  host: string
  port: number
  signal: AbortSignal
}

function readCertificate({ host, port, signal }: CertificateAt): Promise<{ expiresAt: number } | { code: string }> {
  return new Promise((resolve) => {
    const name = host.replace(/^\[|\]$/g, '')
    const socket = connect({ host: name, port, servername: /[a-z]/i.test(name) && !name.includes(':') ? name : '' })
    const end = (found: { expiresAt: number } | { code: string }) => {
      socket.destroy()
      resolve(found)
    }
    signal.addEventListener('abort', () => end({ code: 'ETIMEDOUT' }), { once: true })
    socket.once('error', (error) => end({ code: codeOf(error) }))
    socket.once('secureConnect', () => end({ expiresAt: Date.parse(socket.getPeerCertificate().valid_to) }))
  })
}
