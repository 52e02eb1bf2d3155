/**
 * Sends requests until one is refused with 429, at most twice as many as the limit, and returns the different statuses in order. A few
 * more than the limit may pass: until Redis is connected, a server counts by itself.
 */
export async function sendUntilLimited(limit: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses = new Set<number>()
  for (let sent = 0; sent <= 2 * limit && !statuses.has(429); sent++) statuses.add((await send()).status)
  return [...statuses]
}
