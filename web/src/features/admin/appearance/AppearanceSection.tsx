import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { AnnouncementForm } from './AnnouncementForm.tsx'
import styles from './AppearanceSection.module.css'
import { LegalTextsForm } from './LegalTextsForm.tsx'
import { LogoForm } from './LogoForm.tsx'
import { MaintenanceForm } from './MaintenanceForm.tsx'
import { NameForm } from './NameForm.tsx'
import { useAppearance, useLegalTexts, useMaintenanceSettings } from './queries.ts'

/** How the site looks, what it tells its users, and whether they can use it. */
export function AppearanceSection() {
  const appearance = useAppearance()
  return (
    <CardHeadingLevel value={3}>
      <div className={styles.cards}>
        <Part title="Name and color" query={appearance}>
          {(data) => <NameForm appearance={data} />}
        </Part>
        <Part title="Logo" query={appearance}>
          {(data) => <LogoForm appearance={data} />}
        </Part>
        <Part title="Announcement" query={appearance}>
          {(data) => <AnnouncementForm announcement={data.announcement} />}
        </Part>
        <Part title="Legal texts" query={useLegalTexts()}>
          {(data) => <LegalTextsForm texts={data} />}
        </Part>
        <div id="maintenance">
          <Part title="Maintenance" query={useMaintenanceSettings()}>
            {(data) => <MaintenanceForm settings={data} />}
          </Part>
        </div>
      </div>
    </CardHeadingLevel>
  )
}

interface PartProps<T> {
  readonly title: string
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
}

function Part<T>({ title, query, children }: PartProps<T>) {
  return (
    <Card title={title}>
      <QueryContent query={query} failure="Unable to load these settings.">
        {children}
      </QueryContent>
    </Card>
  )
}
