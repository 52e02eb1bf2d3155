import type { Page } from './page.ts'

/** Lighthouse's slow 4G as DevTools applies it: 90 % of 1.6 Mbit/s down and of 750 kbit/s up, 150 ms for each request. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 0.9 * 1_000_000) / 8,
  uploadThroughput: (0.75 * 0.9 * 1_000_000) / 8,
}
const CPU_SLOWDOWN = 4

/** Gives a page the network and the processor of a phone of the middle class. */
export async function slowDown(page: Page): Promise<void> {
  await page.command('Network.emulateNetworkConditions', SLOW_4G)
  await page.command('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}
