import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import type { TextSource } from '../../../../src-main/contract/page-details.ts'
import type { ShownBookmark } from '../../../api/client.ts'
import { queryClient } from '../../../api/events.ts'
import { pageOptions, pageTextOptions } from '../../../api/queries.ts'
import { hasState } from '../../../lib/labels.ts'
import { i18n, locale } from '../../../lib/locale.ts'
import { openReader, READER, stepBack, TEXT } from '../../../lib/opened.ts'
import { IconBook } from '../../../ui/icons/icons.ts'
import { notify, notifyError } from '../../../ui/notify.tsx'
import type { List } from '../list/use-list.ts'
import { isKnown, siteFacts } from '../panel/page-state.tsx'
import type { Changes } from '../use-changes.ts'

const Reader = lazy(() => import('./reader.tsx').then((file) => ({ default: file.Reader })))

/** A time that reading takes: “6 min”. */
const inMinutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' }).format

interface ReadButtonProps {
  bookmark: ShownBookmark
  list: List
  changes: Changes
}

/** Opens the reader with the text of a bookmark's page, if it is stored. */
export function ReadButton({ bookmark, list, changes }: ReadButtonProps) {
  const { data: page } = useQuery(pageOptions(bookmark.id))
  const reading = useReading()
  const opener = useRef<HTMLButtonElement>(null)
  if (!page || !isKnown(page) || !page.textFrom) return null
  const minutes = inMinutes(page.minutes ?? 1)
  function close() {
    closeReader()
    opener.current?.focus()
  }
  async function goOn(finding: Promise<string | undefined>) {
    try {
      const next = await finding
      if (next !== undefined) return openReader(next)
      close()
      notify(t`That was the last text in this list.`)
    } catch (error) {
      notifyError(error)
    }
  }
  async function archive() {
    const add = hasState(bookmark, 'archived') ? [] : ['archived']
    const remove = hasState(bookmark, 'unread') ? ['unread'] : []
    const isDone = add.length + remove.length === 0
    // It may leave the list, so the next one is found first.
    const next = nextText(list, bookmark.id)
    if (isDone || (await changes.setTags({ ids: [bookmark.id] }, { add, remove }))) await goOn(next)
  }
  return (
    <>
      <Button
        ref={opener}
        size="compact-sm"
        variant="light"
        leftSection={<IconBook size={15} />}
        onClick={() => openReader()}
      >
        {t({ context: 'verb', message: 'Read' })}
      </Button>
      <Text size="xs" c="dimmed">
        {minutes}
      </Text>
      {reading !== null && (
        <Suspense>
          <Reader
            bookmark={bookmark}
            language={page.language}
            highlight={reading === TEXT ? undefined : reading}
            facts={[...siteFacts(page), minutes, i18n._(TEXT_FROM[page.textFrom])].join(' · ')}
            onNext={() => goOn(nextText(list, bookmark.id))}
            onArchive={bookmark.deletedAt === null ? archive : undefined}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

/** Rows of a list that are looked through at once for a text. */
const BATCH = 100

/** Returns the id of the next bookmark of a list that has a text, once that is there to be shown. */
async function nextText({ pages, active }: List, id: string): Promise<string | undefined> {
  for (let row = (pages.indexOf(id) ?? active.index) + 1; ; row += BATCH) {
    const bookmarks = await pages.range(row, row + BATCH - 1)
    const next = bookmarks.find(({ hasText }) => hasText)
    if (next) {
      await Promise.all([
        queryClient.prefetchQuery(pageOptions(next.id)),
        queryClient.prefetchQuery(pageTextOptions(next.id))
      ])
      return next.id
    }
    if (bookmarks.length < BATCH) return undefined
  }
}

/** Returns `TEXT`, or the id of the highlight to show, while the open bookmark is read; otherwise `null`. */
const useReading = (): string | null => new URLSearchParams(useSearch()).get(READER)

/** Back to the panel, also where the address was opened with the text in it. */
function closeReader(): void {
  const { state } = history
  if (state?.reading) {
    stepBack()
    return
  }
  const query = new URLSearchParams(location.search)
  query.delete(READER)
  navigate(`${location.pathname}?${query}`, { replace: true, state })
}

const TEXT_FROM = {
  page: msg`The page as it was when Earmark fetched it`,
  tab: msg`The page as your browser showed it`,
  import: msg`The text is kept from the import`
} satisfies Record<TextSource, MessageDescriptor>
