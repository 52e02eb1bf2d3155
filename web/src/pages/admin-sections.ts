import {
  IconArchive,
  IconCreditCard,
  IconDatabase,
  IconLayoutDashboard,
  IconListCheck,
  IconListDetails,
  IconLogin2,
  IconPalette,
  IconStethoscope,
  IconUserPlus,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'

interface AdminSection {
  /** The last part of the address. */
  readonly path: string
  readonly label: string
  readonly Icon: TablerIcon
  readonly Section: ComponentType
}

/** The sections of the administrators' pages, in the order of their navigation. Each is loaded when it is first opened. */
// biome-ignore format: one line a section
export const adminSections: readonly AdminSection[] = [
  { path: 'overview', label: 'Overview', Icon: IconLayoutDashboard, Section: lazy(async () => ({ default: (await import('../features/admin/overview/Overview.tsx')).Overview })) },
  { path: 'users', label: 'Users', Icon: IconUsers, Section: lazy(async () => ({ default: (await import('../features/admin/users/UsersSection.tsx')).UsersSection })) },
  { path: 'sign-up', label: 'Sign-up', Icon: IconUserPlus, Section: lazy(async () => ({ default: (await import('../features/admin/sign-up/SignUpSection.tsx')).SignUpSection })) },
  { path: 'plans', label: 'Plans', Icon: IconCreditCard, Section: lazy(async () => ({ default: (await import('../features/admin/plans/PlansSection.tsx')).PlansSection })) },
  { path: 'sign-in', label: 'Sign-in', Icon: IconLogin2, Section: lazy(async () => ({ default: (await import('../features/admin/sign-in/SignIn.tsx')).SignIn })) },
  { path: 'storage', label: 'Storage', Icon: IconDatabase, Section: lazy(async () => ({ default: (await import('../features/admin/storage/Storage.tsx')).Storage })) },
  { path: 'jobs', label: 'Jobs', Icon: IconListCheck, Section: lazy(async () => ({ default: (await import('../features/admin/jobs/Jobs.tsx')).Jobs })) },
  { path: 'backups', label: 'Backups', Icon: IconArchive, Section: lazy(async () => ({ default: (await import('../features/admin/backups/Backups.tsx')).Backups })) },
  { path: 'checks', label: 'Checks', Icon: IconStethoscope, Section: lazy(async () => ({ default: (await import('../features/admin/checks/Checks.tsx')).Checks })) },
  { path: 'appearance', label: 'Appearance', Icon: IconPalette, Section: lazy(async () => ({ default: (await import('../features/admin/appearance/AppearanceSection.tsx')).AppearanceSection })) },
  { path: 'audit-log', label: 'Audit log', Icon: IconListDetails, Section: lazy(async () => ({ default: (await import('../features/admin/audit/AuditLog.tsx')).AuditLog })) },
]
