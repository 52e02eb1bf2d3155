import { getLegalText, type LegalDocument } from '@alcove/contract/site'
import { Skeleton, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { send } from '../../api/api.ts'
import { legalTextOfPage } from '../../lib/site.ts'
import { MarkdownText } from '../../preview/text/MarkdownText.tsx'
import styles from '../../ui/LegalText.module.css'
import { LoadError } from '../../ui/LoadError.tsx'
import own from './OwnLegalText.module.css'

interface OwnLegalTextProps {
  readonly document: LegalDocument
  readonly title: string
}

/** Shows the terms or the privacy policy that the operator has written. */
export function OwnLegalText({ document, title }: OwnLegalTextProps) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: ['legal-text', document],
    queryFn: ({ signal }) => send(getLegalText, { document }, { signal }),
    // A visit that begins here has brought the text with the page.
    initialData: () => {
      const text = legalTextOfPage(document)
      return text ? { text } : undefined
    },
  })
  return (
    <article className={styles.text}>
      {!data?.text.startsWith('# ') && <h1 className={own.title}>{title}</h1>}
      {data ? (
        <MarkdownText text={data.text} />
      ) : isError ? (
        <LoadError text="Unable to load this text." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <VisuallyHidden role="status">Loading...</VisuallyHidden>
          <Skeleton height={240} radius={16} />
        </>
      )}
    </article>
  )
}
