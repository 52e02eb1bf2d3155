import { createHash } from 'node:crypto'
import { calls } from '@alcove/contract/calls'
import { MAX_LOGO_BYTES } from '@alcove/contract/limits'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { WorkProcessDiedError, WorkRefusedError } from '../../../platform/processes/work-process.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { appearanceSetting, changeSetting } from '../../site/index.ts'
import { describeAppearance } from './appearance.ts'

const HASH_LENGTH = 16

const replaceLogo = endpoint(calls.replaceLogo, async (ctx, { image }) => {
  const given = Buffer.from(image, 'base64')
  if (given.length > MAX_LOGO_BYTES) {
    throw new AppError('too_large', `A logo can have up to ${MAX_LOGO_BYTES / 1024} KiB.`)
  }
  if (!isAllowed(given)) throw new AppError('malformed', 'The logo must be a PNG, SVG or WebP.')
  const drawn = await draw(ctx, given)
  const hash = createHash('sha256').update(drawn.logo).digest('hex').slice(0, HASH_LENGTH)
  await changeSetting(ctx, appearanceSetting, async (before, tx) => {
    await tx.deleteFrom('site_images').execute()
    await tx
      .insertInto('site_images')
      .values((['logo', 'icon'] as const).map((kind) => ({ kind, hash, base64: drawn[kind].toString('base64') })))
      .execute()
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'site.logo', details: { bytes: given.length } })
    return { ...before, logo: { hash, ...sizeOf(drawn.logo) } }
  })
  return describeAppearance(ctx)
})

const deleteLogo = endpoint(calls.deleteLogo, async (ctx) => {
  await changeSetting(ctx, appearanceSetting, async (before, tx) => {
    if (!before.logo) return before
    await tx.deleteFrom('site_images').execute()
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'site.logo', details: { bytes: null } })
    return { ...before, logo: null }
  })
  return describeAppearance(ctx)
})

/** Draws the logo anew in a sandboxed process, because an SVG can contain scripts and any picture can attack its reader. */
async function draw({ thumbnails, log }: Services, given: Buffer): Promise<{ logo: Buffer; icon: Buffer }> {
  try {
    const [logo, icon] = await Promise.all([thumbnails.makeLogo(given, 'logo'), thumbnails.makeLogo(given, 'icon')])
    return { logo: Buffer.from(logo), icon: Buffer.from(icon) }
  } catch (error) {
    if (error instanceof WorkRefusedError || error instanceof WorkProcessDiedError) {
      log.info({ reason: error.message }, 'a logo was not drawn')
      throw new AppError('malformed', 'This picture can’t be read. Save it again as PNG, then try that file.')
    }
    log.warn({ err: error }, 'a logo was not drawn')
    throw new AppError('unavailable', 'The server is busy. Please try again in a moment.', { retryAfterSeconds: 2 })
  }
}

/** Returns whether the first bytes are those of a PNG, a WebP or an XML file. What it really is, drawing it shows. */
function isAllowed(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 16)
  return start.startsWith('\x89PNG\r\n\x1a\n') || /^RIFF[\s\S]{4}WEBP/.test(start) || /^(\xef\xbb\xbf)?\s*</.test(start)
}

/** Reads the size in the header of a PNG. */
function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

export const logoEndpoints = [replaceLogo, deleteLogo]
