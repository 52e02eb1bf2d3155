import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { DevicesNiche } from '../../../ui/art/niches.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

export function EmptySharedLinks() {
  return (
    <EmptyState
      art={<DevicesNiche />}
      title="Nothing is shared"
      hint="Choose Public Link in the menu of a file or folder, and its link will be listed here as long as it is enabled."
      action={
        <Button component={Link} to="/profile">
          Go to your files
        </Button>
      }
    />
  )
}
