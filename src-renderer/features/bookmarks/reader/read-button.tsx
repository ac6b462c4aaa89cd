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
import { goBack, openReader, READER_PARAM, START } from '../../../lib/opened.ts'
import { IconBook } from '../../../ui/icons/icons.ts'
import { notify, notifyError } from '../../../ui/notify.tsx'
import type { List } from '../list/use-list.ts'
import { isKnown, siteFacts } from '../panel/page-state.tsx'
import type { Changes } from '../use-changes.ts'

const Reader = lazy(() => import('./reader.tsx').then((file) => ({ default: file.Reader })))

/** Formats a reading time: “6 min”. */
const inMinutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' }).format

interface ReadButtonProps {
  bookmark: ShownBookmark
  list: List
  changes: Changes
}

/** Opens the reader with the text of a bookmark's page, if it is stored. */
export function ReadButton({ bookmark, list, changes }: ReadButtonProps) {
  const { data: page } = useQuery(pageOptions(bookmark.id))
  const start = useReaderParam()
  const opener = useRef<HTMLButtonElement>(null)
  if (!page || !isKnown(page) || !page.textFrom) return null
  const minutes = inMinutes(page.minutes ?? 1)
  function close() {
    closeReader()
    opener.current?.focus()
  }
  async function goOn(nextId: Promise<string | undefined>) {
    try {
      const next = await nextId
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
    // The bookmark may leave the list, so the next one is searched first.
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
      {start !== null && (
        <Suspense>
          <Reader
            bookmark={bookmark}
            language={page.language}
            highlight={start === START ? undefined : start}
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

/** Rows of a list that are fetched at once to find a text. */
const BATCH = 100

/** Returns the id of the next bookmark in a list that has a text, once that text is fetched. */
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

/** Returns `START`, or the id of the highlight to show, while the reader is open; otherwise `null`. */
const useReaderParam = (): string | null => new URLSearchParams(useSearch()).get(READER_PARAM)

/** Closes the reader and shows the panel, also if the page was loaded with the reader open. */
function closeReader(): void {
  const { state } = history
  if (state?.reading) {
    goBack()
    return
  }
  const query = new URLSearchParams(location.search)
  query.delete(READER_PARAM)
  navigate(`${location.pathname}?${query}`, { replace: true, state })
}

const TEXT_FROM = {
  page: msg`The page as it was when Earmark fetched it`,
  tab: msg`The page as your browser showed it`,
  import: msg`The text is kept from the import`
} satisfies Record<TextSource, MessageDescriptor>
