import { readMedia } from '../modules/media/read-media.ts'
import type { TestApp } from './test-app.ts'

/** What the server does by itself in the background: all music and films are read that have not been. */
export async function readAllMedia({ services }: Pick<TestApp, 'services'>): Promise<void> {
  await readMedia(services, new AbortController().signal)
}
