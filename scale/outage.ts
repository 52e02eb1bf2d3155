import type { Outage } from './control.ts'

/** Does something while an engine is away; afterwards it is back, whatever came of it. */
export async function during<T>(go: Outage, come: Outage, work: () => Promise<T>): Promise<T> {
  await bring(go)
  try {
    return await work()
  } finally {
    await bring(come)
  }
}

/** It is done when this returns. */
async function bring(outage: Outage): Promise<void> {
  const control = process.env.ALCOVE_SCALE_CONTROL
  if (!control) throw new Error('the engines are not ours: run these tests by npm run test:scale')
  const response = await fetch(`${control}/${encodeURIComponent(outage)}`, { method: 'POST' })
  if (!response.ok) throw new Error(`${outage}: ${await response.text()}`)
}
