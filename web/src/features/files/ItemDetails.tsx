import { getItem } from '@alcove/contract/item-calls'
import type { Item } from '@alcove/contract/items'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { send } from '../../lib/api.ts'
import { contentSizeOf } from '../../lib/content-size.ts'
import { describeFileType } from '../../lib/file-type-words.ts'
import { formatMoment, formatSize, plural } from '../../lib/format.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { FileTypeSheet } from '../../ui/FileTypeSheet.tsx'
import { FolderGlyph } from '../../ui/FolderGlyph.tsx'
import { Thumbnail } from '../../ui/items/Thumbnail.tsx'
import styles from './DetailsPane.module.css'
import { DigestFact } from './DigestFact.tsx'
import { Fact } from './Fact.tsx'
import { folderAddress, vaultAddress } from './folder-address.ts'
import { ROOT_NAME } from './folder-contents.ts'

/** Until the digest has been computed it is asked for again, this often. */
const DIGEST_EVERY = 5000

/** All that is known of one file or folder. */
export function ItemDetails({ item: known }: { readonly item: Item }) {
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.item(known.id),
    queryFn: ({ signal }) => send(getItem, { id: known.id }, { signal }),
    refetchInterval: ({ state }) => (isWaiting(state.data) ? DIGEST_EVERY : false),
  })
  const item = data?.item ?? known
  return (
    <>
      <div className={styles.picture}>
        {item.type === 'folder' ? (
          <FolderGlyph size={84} isVault={item.isEncrypted} />
        ) : (
          <Thumbnail file={item} fallback={<FileTypeSheet filename={item.name} size={72} />} />
        )}
      </div>
      <h3 className={styles.name}>
        <bdi dir="auto">{item.name}</bdi>
      </h3>
      <dl className={styles.facts}>
        <Fact name="Kind">{item.type === 'folder' ? 'Folder' : describeFileType(item.name)}</Fact>
        {item.type === 'file' ? (
          <Fact name="Size">
            {formatSize(contentSizeOf(item))}{' '}
            <span className={styles.exact}>({plural(contentSizeOf(item), 'byte')})</span>
          </Fact>
        ) : (
          <>
            <Fact name="Contains" isLoading={!data && !isError}>
              {data && plural(data.itemCount, 'item')}
            </Fact>
            <Fact name="Total size" isLoading={!data && !isError}>
              {data && formatSize(data.totalSize)}
            </Fact>
          </>
        )}
        <Fact name="Modified">{formatMoment(item.updatedAt)}</Fact>
        <Fact name="Created">{formatMoment(item.createdAt)}</Fact>
        <Fact name="Place" isLoading={!data && !isError}>
          {data && <Place path={data.path} addressOf={item.isEncrypted ? vaultAddress : folderAddress} />}
        </Fact>
        <Fact name="Public link">{item.isShared ? 'Enabled' : 'Off'}</Fact>
        {item.type === 'file' && (
          <DigestFact isLoading={!data && !isError} isEncrypted={item.isEncrypted} digest={data?.sha256} />
        )}
      </dl>
      {isError && !data && (
        <div className={styles.problem} role="alert">
          The details could not be loaded.
          <Button size="xs" variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </>
  )
}

function isWaiting(data: { item: Item; sha256: string | null } | undefined): boolean {
  return data?.item.type === 'file' && data.sha256 === null
}

interface PlaceProps {
  readonly path: readonly { id: string; name: string }[]
  readonly addressOf: (folderId: string | undefined) => string
}

function Place({ path, addressOf }: PlaceProps) {
  return [{ id: undefined, name: ROOT_NAME }, ...path].map(({ id, name }, index) => (
    <span key={id ?? ROOT_NAME}>
      {index > 0 && <span aria-hidden> / </span>}
      <Link className={styles.link} to={addressOf(id)}>
        <bdi dir="auto">{name}</bdi>
      </Link>
    </span>
  ))
}
