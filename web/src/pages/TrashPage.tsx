import { TrashContents } from '../features/trash/index.ts'
import { PageHeading } from '../ui/PageHeader.tsx'

export function TrashPage() {
  return (
    <>
      <PageHeading>Trash</PageHeading>
      <TrashContents />
    </>
  )
}
