import { Menu } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { type DropItems, useItemDrop } from '../../items/drag/use-item-drag.ts'
import type { Arrival } from '../../items/grid/arrivals.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './FolderBreadcrumb.module.css'
import type { FolderHome } from './folder-address.ts'
import type { FolderStep } from './folder-contents.ts'

interface FolderBreadcrumbProps {
  readonly home: FolderHome
  /** The ancestors of the folder, below its home. */
  readonly path: readonly FolderStep[]
  /** The folder itself. Its home has no id. */
  readonly name: string
  readonly id: string | undefined
  readonly itemId: string | undefined
  readonly onMoveInto: DropItems | undefined
}

/** With more ancestors than this, those in the middle go into a menu. */
const SHOWN = 3
const SHOWN_ON_PHONE = 2

/** The path of a folder. Each step links to a folder, and accepts items that are dropped on it. */
export function FolderBreadcrumb({ home, path, name, id, itemId, onMoveInto }: FolderBreadcrumbProps) {
  const isNarrow = useIsPhone()
  const below = id === undefined ? [] : [...path, { id, itemId }]
  const ancestors = below.map((next, index) => stepOf(home, path[index - 1] ?? { name: home.name }, next))
  const [shown, hidden] = collapse(ancestors, isNarrow ? SHOWN_ON_PHONE : SHOWN)
  return (
    <nav className={styles.nav} aria-label="Folder path">
      <ol className={styles.steps}>
        {shown.map((step, index) => (
          <li key={step.address} className={styles.step}>
            <Crumb step={step} onMoveInto={onMoveInto} />
            <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
            {index === 0 && hidden.length > 0 && <HiddenSteps steps={hidden} />}
          </li>
        ))}
        {shown.length === 0 && hidden.length > 0 && (
          <li className={styles.step}>
            <HiddenSteps steps={hidden} />
          </li>
        )}
        <li className={styles.step}>
          <strong className={styles.current} aria-current="page">
            <bdi dir="auto">{name}</bdi>
          </strong>
        </li>
      </ol>
    </nav>
  )
}

interface Step {
  readonly id?: string
  readonly name: string
  readonly address: string
  /** Which item gets the focus there: the next folder of the path. */
  readonly state: Arrival
  readonly isFolder: boolean
}

function stepOf(
  home: FolderHome,
  step: { readonly id?: string; readonly name: string },
  next: Pick<FolderStep, 'id' | 'itemId'>,
): Step {
  return {
    state: { arrivalId: next.itemId ?? next.id },
    id: step.id ?? home.rootId,
    name: step.name,
    address: home.addressOf(step.id),
    isFolder: home.isRoot || step.id !== undefined,
  }
}

/** Splits the path into the visible steps, and those in the menu after the first visible one. */
function collapse(steps: readonly Step[], limit: number): [shown: readonly Step[], hidden: readonly Step[]] {
  if (steps.length <= limit) return [steps, []]
  if (limit === 0) return [[], steps]
  return [[...steps.slice(0, 1), ...steps.slice(1 - limit)], steps.slice(1, 1 - limit)]
}

interface CrumbProps {
  readonly step: Step
  readonly onMoveInto: DropItems | undefined
}

function Crumb({ step, onMoveInto }: CrumbProps) {
  const name = <bdi dir="auto">{step.name}</bdi>
  if (step.isFolder) {
    return (
      <FolderCrumb step={step} onMoveInto={onMoveInto}>
        {name}
      </FolderCrumb>
    )
  }
  return (
    <Link className={styles.crumb} to={step.address} state={step.state}>
      {name}
    </Link>
  )
}

function FolderCrumb({ step, onMoveInto, children }: CrumbProps & { readonly children: ReactNode }) {
  const link = useRef<HTMLAnchorElement>(null)
  const navigate = useNavigate()
  const isTarget = useItemDrop(link, step.id, onMoveInto, {
    name: step.name,
    onSpring: () => void navigate(step.address),
  })
  return (
    <Link
      ref={link}
      className={styles.crumb}
      data-target={isTarget !== false || undefined}
      to={step.address}
      state={step.state}
    >
      {children}
    </Link>
  )
}

function HiddenSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <>
      <Dropdown position="bottom-start">
        <Menu.Target>
          <IconButton className={styles.hidden} label="Show the folders above">
            …
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown>
          {steps.map((step) => (
            <Menu.Item key={step.address} component={Link} to={step.address} state={step.state}>
              <bdi dir="auto">{step.name}</bdi>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Dropdown>
      <IconChevronRight className={styles.chevron} size={16} stroke={1.75} aria-hidden />
    </>
  )
}
