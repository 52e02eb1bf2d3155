import { randomUUID } from 'node:crypto'
import type { Services } from '../../context.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Area, UserRow } from '../../platform/db/tables.ts'
import { findPlan, newUserColumns, noteGrantedPlan } from '../billing/index.ts'
import { readSetting } from '../site/index.ts'
import { signUpSetting } from './registration/sign-up.ts'

interface NewUser {
  email: string
  passwordHash: string
  activatedAt: number | null
  now: number
}

/**
 * Adds a user with the root folders of drive and vault, on the plan that new accounts get, and returns the id. The address must be
 * free.
 */
export async function createUser(
  services: Pick<Services, 'config' | 'payments'>,
  tx: Tx,
  { email, passwordHash, activatedAt, now }: NewUser,
): Promise<string> {
  const inTx = { db: tx, config: services.config }
  const { defaultPlanId } = await readSetting(inTx, signUpSetting)
  const plan = await findPlan(inTx, defaultPlanId)
  const id = randomUUID()
  const roots: Record<Area, string> = { drive: randomUUID(), vault: randomUUID() }
  await tx
    .insertInto('users')
    .values({
      id,
      email,
      password_hash: passwordHash,
      activated_at: activatedAt,
      confirmed_email: activatedAt === null ? null : email,
      ...(await newUserColumns(services, tx, plan)),
      used_bytes: 0,
      reserved_bytes: 0,
      drive_root_id: roots.drive,
      vault_root_id: roots.vault,
      tree_version: 0,
      created_at: now,
    })
    .execute()
  await tx
    .insertInto('items')
    .values(
      (['drive', 'vault'] as const).map((area) => ({
        id: roots[area],
        owner_id: id,
        parent_id: null,
        area,
        kind: 'folder' as const,
        name: '',
        sort_key: '',
        size: 0,
        blob_key: null,
        favorite_at: null,
        trashed_at: null,
        trash_id: null,
        created_at: now,
        updated_at: now,
        modified_at: null,
      })),
    )
    .execute()
  if (plan) await noteGrantedPlan(services, tx, id, plan)
  return id
}

export function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}
