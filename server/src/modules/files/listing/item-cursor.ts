import type { UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { isSignatureOf, signParts } from '../../../platform/secrets/secrets.ts'
import type { ItemOrder, ListPosition } from './item-order.ts'

/**
 * A position as it travels. The signature ties it to the user, the folder and the order, and lets nothing in that we
 * have not written.
 */
export function writeCursor(ctx: UserContext, folderId: string, order: ItemOrder, position: ListPosition): string {
  const { kind, value, sortKey, id } = position
  const text = Buffer.from(JSON.stringify([kind, value, sortKey, id])).toString('base64url')
  return `${text}.${signParts(ctx.secrets.urlKey, partsOf(ctx, folderId, order, text))}`
}

/** The position of a cursor of this very list; any other text is refused. */
export function readCursor(ctx: UserContext, folderId: string, order: ItemOrder, cursor: string): ListPosition {
  const [text = '', signature = ''] = cursor.split('.', 2)
  if (!isSignatureOf(ctx.secrets.urlKey, partsOf(ctx, folderId, order, text), signature)) {
    throw new AppError('malformed', 'This cursor does not belong to this list. Start again at its first page.')
  }
  const [kind, value, sortKey, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
  return { kind, value, sortKey, id }
}

function partsOf(ctx: UserContext, folderId: string, { sort, order }: ItemOrder, text: string): string[] {
  return ['cursor', ctx.user.id, folderId, sort, order, text]
}
