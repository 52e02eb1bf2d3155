import { errorStatus } from '@alcove/contract/errors'
import { MAX_FILE_DATE } from '@alcove/contract/limits'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { ItemRow } from '../../platform/db/tables.ts'
import { changeProperties, changeTree, type PropertyChange, setModifiedAt } from '../items/index.ts'
import { DavError } from './dav-error.ts'
import { writeHref } from './dav-path.ts'
import { type DavHandler, propertiesOf } from './dav-request.ts'
import type { LiveProperties } from './live-properties.ts'
import { assertPreconditions } from './preconditions.ts'
import { childrenOf, findChild, isDav, readXml, textOf, writeContent, type XmlElement } from './read-xml.ts'
import { FAVORITE } from './remote/remote-properties.ts'
import { getAt } from './resolve-path.ts'
import { MULTISTATUS_END, MULTISTATUS_START, propstat, writeResponse } from './write-multistatus.ts'
import { DAV, nameKey, WINDOWS, writeElement, XML_TYPE, type XmlName } from './write-xml.ts'

/** A property to set, or without an element to remove. */
interface Change {
  readonly name: XmlName
  readonly element: XmlElement | undefined
}

/** A property that can't be changed as wanted. */
interface Refusal {
  readonly status: number
  readonly error: string
}

const PROTECTED: Refusal = { status: 403, error: '<D:error><D:cannot-modify-protected-property/></D:error>' }
const NO_DATE: Refusal = { status: 409, error: '' }

/** Sets and removes properties: all of them, or none. */
export const proppatch: DavHandler = async (dav) => {
  const { ctx, reply, mount, path } = dav
  const changes = readChanges(await readXml(dav))
  let kind: ItemRow['kind'] = 'file'
  const refusals = await changeTree(ctx, async (tx) => {
    const found = await getAt(tx, ctx.user, path)
    await assertPreconditions(tx, dav, found)
    const { item } = found
    kind = item.kind
    const refusals = changes.map((change) =>
      // The mark belongs to the owner.
      ctx.user.member && nameKey(change.name) === FAVORITE ? PROTECTED : findRefusal(item, change, propertiesOf(mount)),
    )
    if (refusals.every((refusal) => refusal === undefined)) {
      const isFavorite = ({ name }: Change) => mount.isRemote === true && nameKey(name) === FAVORITE
      const favorite = changes.findLast(isFavorite)
      if (favorite) await markFavorite(tx, item, favorite, ctx.clock.now())
      const others = changes.filter((change) => !isFavorite(change))
      await apply(tx, ctx.user, item, others, ctx.clock.now())
    }
    return refusals
  }).catch((error: unknown) => {
    // The limits of stored properties concern all of them.
    if (!(error instanceof AppError) || error instanceof DavError || !STORING.has(error.code)) throw error
    const refusal = { status: errorStatus[error.code], error: '' }
    return changes.map(() => refusal)
  })
  const isRefused = refusals.some((refusal) => refusal !== undefined)
  const statuses = changes.map(({ name }, index) => {
    const refusal = refusals[index]
    return propstat(writeElement(name, ''), refusal?.status ?? (isRefused ? 424 : 200), refusal?.error)
  })
  const response = writeResponse(writeHref(mount, path, kind), statuses.join(''))
  return reply
    .status(207)
    .type(XML_TYPE)
    .send(MULTISTATUS_START + response + MULTISTATUS_END)
}

const STORING = new Set(['too_large', 'storage_full'])

function readChanges(body: XmlElement | undefined): Change[] {
  if (!body || !isDav(body, 'propertyupdate')) {
    throw new DavError(400, 'The body of a PROPPATCH must be a propertyupdate element.')
  }
  const changes = childrenOf(body).flatMap((instruction): Change[] => {
    const isSet = isDav(instruction, 'set')
    if (!isSet && !isDav(instruction, 'remove')) return []
    const list = findChild(instruction, 'prop')
    if (!list) throw new DavError(400, 'Each set and remove element must contain a prop element.')
    return childrenOf(list).map((element) => ({ name: element, element: isSet ? element : undefined }))
  })
  if (changes.length === 0) throw new DavError(400, 'This PROPPATCH names no property.')
  return changes
}

/** The properties by which clients set the date of a file: of Windows, and those that ownCloud and others use. */
const DATES = new Set([
  nameKey({ namespace: WINDOWS, local: 'Win32LastModifiedTime' }),
  nameKey({ namespace: DAV, local: 'getlastmodified' }),
  nameKey({ namespace: DAV, local: 'lastmodified' }),
])

/** Folders have no date of their own, so what Windows sends for them is stored like any other property. */
function isDateOf({ kind }: ItemRow, name: XmlName): boolean {
  return kind === 'file' && DATES.has(nameKey(name))
}

function findRefusal(item: ItemRow, { name, element }: Change, properties: LiveProperties): Refusal | undefined {
  const key = nameKey(name)
  if (isDateOf(item, name)) {
    if (!element) return PROTECTED
    return readDate(element) === undefined ? NO_DATE : undefined
  }
  const isOurs = properties.has(key) && name.namespace !== WINDOWS && key !== FAVORITE
  return isOurs ? PROTECTED : undefined
}

async function apply(tx: Tx, user: SessionUser, item: ItemRow, changes: readonly Change[], now: number): Promise<void> {
  const last = changes.findLast(({ name }) => isDateOf(item, name))?.element
  const date = last && readDate(last)
  if (date !== undefined) await setModifiedAt(tx, user, item, date, now)
  await changeProperties(
    tx,
    user,
    item.id,
    changes.filter(({ name }) => !isDateOf(item, name)).map(({ name, element }) => toStored(name, element)),
    now,
  )
}

/** Marks an item as a favorite, or not, as clients of Nextcloud do with a property of their own. */
async function markFavorite(tx: Tx, { id, favorite_at }: ItemRow, { element }: Change, now: number): Promise<void> {
  const isFavorite = element !== undefined && /^(1|true)$/.test(textOf(element).trim())
  if (isFavorite === (favorite_at !== null)) return
  await tx
    .updateTable('items')
    .set({ favorite_at: isFavorite ? now : null })
    .where('id', '=', id)
    .execute()
}

function toStored({ namespace, local }: XmlName, element: XmlElement | undefined): PropertyChange {
  if (!element) return { namespace, name: local, language: null, value: null }
  return { namespace, name: local, language: element.language ?? null, value: writeContent(element) }
}

/** Reads an HTTP date, or seconds since 1970. Returns undefined if it is neither, or beyond the dates that files can have. */
function readDate(element: XmlElement): number | undefined {
  const text = textOf(element).trim()
  const time = /^-?\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : Date.parse(text)
  return time >= 0 && time <= MAX_FILE_DATE ? time : undefined
}
