import { createHmac } from 'node:crypto'

/** The `Stripe-Signature` of a body, as the SDK checks it. */
export function signBody(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
