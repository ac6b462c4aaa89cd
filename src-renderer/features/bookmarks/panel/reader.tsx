import { Alert, Modal, Text, Title } from '@mantine/core'
import { page as strings } from '../../../strings/page.ts'
import { Loading } from '../../../ui/loading.tsx'
import classes from './panel.module.css'
import { usePageText } from './use-page.ts'

interface ReaderProps {
  id: string
  title: string
  /** Of the page, as it says. */
  language: string | null
  onClose(): void
}

/** The text of a page as it is stored here: paragraphs and headings, nothing of which is markup. */
export function Reader({ id, title, language, onClose }: ReaderProps) {
  const { data, error } = usePageText(id)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={title || strings.reader}
      // Escape closes this, and not the panel it was opened from.
      onKeyDown={(event) => event.key === 'Escape' && event.stopPropagation()}
    >
      {error && <Alert color="red">{error.message}</Alert>}
      {!data && !error && <Loading />}
      {data && (
        <article className={classes.reader} aria-label={strings.reader} lang={language ?? undefined}>
          <Text size="xs" c="dimmed" mb="md" lang="en">
            {strings.readerNote}
          </Text>
          {data.text.split('\n\n').map((block, index) =>
            block.startsWith('## ') ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes while it is shown
              <Title key={index} order={3} size="h5">
                {block.slice(3)}
              </Title>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes while it is shown
              <p key={index}>{block}</p>
            )
          )}
        </article>
      )}
    </Modal>
  )
}
