import { plural, t } from '@lingui/core/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue, useDocumentTitle } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { TRASH_DAYS } from '../../../src-main/contract/bookmark.ts'
import { api, ask, type ShownBookmark } from '../../api/client.ts'
import { longWork } from '../../api/long-work.tsx'
import { countsOptions } from '../../api/queries.ts'
import { useShortcut } from '../../lib/keyboard.ts'
import { titleOf } from '../../lib/labels.ts'
import { openBookmark, useOpened } from '../../lib/opened.ts'
import { confirm } from '../../shared/dialogs.ts'
import { WhileServed } from '../../shared/page.tsx'
import { IconSearchOff } from '../../ui/icons/icons.ts'
import { notify } from '../../ui/notify.tsx'
import { Nothing } from '../../ui/placeholders.tsx'
import { TrashBulkBar } from './bulk-bar.tsx'
import { useFresh } from './fresh.tsx'
import classes from './home.module.css'
import { BookmarkList, ListState, TRASH_ICON } from './list/bookmark-list.tsx'
import type { Act } from './list/cell.tsx'
import { searchedWords } from './list/excerpts.ts'
import type { ListKey } from './list/selection.ts'
import { type List, useList } from './list/use-list.ts'
import { LazyPanel } from './panel/lazy-panel.tsx'
import { SearchField } from './search/search-field.tsx'
import { type Changes, useChanges } from './use-changes.ts'

const TRASH = { trash: 'true' } as const

/** Pause in typing before the service is queried, in ms. */
const PAUSE_MS = 60

/** Deleted bookmarks, for 30 days: to restore, or to delete permanently. */
export function Trash() {
  const [typed, setTyped] = useState('')
  const [words] = useDebouncedValue(typed.trim(), PAUSE_MS)
  const query = useMemo(() => (words === '' ? TRASH : { ...TRASH, words }), [words])
  const markedWords = useMemo(() => searchedWords(words), [words])
  const fresh = useFresh()
  const list = useList(query, fresh.hold)
  const changes = useChanges(list.leave)
  const opened = useOpened()
  const { pages, selected } = list
  useDocumentTitle(`${t`Trash`} · Earmark`)

  function onKey(key: ListKey, index: number, active: ShownBookmark | undefined) {
    const bookmark = 'act' in key && active ? list.skipLeaving(active, index) : active
    if (list.onKey(key, index, bookmark) || !('act' in key)) return
    if (key.act === 'leave') return openBookmark(undefined)
    if (key.act === 'delete' && selected.size > 0) return void changes.purge(selected.chosen, selected.size)
    if (!bookmark) return notify(t`That bookmark is no longer in this list.`)
    if (key.act === 'open' || key.act === 'edit') openBookmark(bookmark.id)
    else if (key.act === 'delete') void changes.purge({ ids: [bookmark.id] }, 1)
  }
  function onAct(act: Act, bookmark: ShownBookmark, index: number) {
    if (act === 'select') list.toggle(bookmark, index)
    else if (act === 'restore') void changes.restore({ ids: [bookmark.id] }, titleOf(bookmark))
    else if (act === 'delete') void changes.purge({ ids: [bookmark.id] }, 1)
    else if (act !== 'open') openBookmark(bookmark.id, { clicked: true })
  }

  return (
    <div className={classes.home}>
      <Stack gap={0} flex={1} miw={0}>
        <TrashHead list={list} changes={changes} typed={typed} onType={setTyped} />
        <Stack gap={0} flex={1} mih={0} pos="relative">
          <ListState pages={pages} empty={<Empty searched={words !== ''} onClear={() => setTyped('')} />}>
            <BookmarkList
              label={t`Bookmarks in the trash`}
              list={list}
              layout="list"
              dated
              words={markedWords}
              view={query}
              onKey={onKey}
              onAct={onAct}
              onAway={fresh.setAway}
            />
          </ListState>
        </Stack>
      </Stack>
      {opened !== undefined && (
        <LazyPanel id={opened} list={list} changes={changes} onClose={() => list.handle.current?.focus()} />
      )}
    </div>
  )
}

/** Shown in place of an empty list. */
function Empty({ searched, onClear }: { searched: boolean; onClear: () => void }) {
  const [, go] = useLocation()
  if (!searched) {
    return (
      <Nothing
        icon={TRASH_ICON}
        title={t`The trash is empty`}
        action={{ label: t`Show all bookmarks`, run: () => go('/') }}
      />
    )
  }
  const action = { label: t`Clear search`, run: onClear }
  return <Nothing icon={<IconSearchOff size={34} stroke={1.3} />} title={t`Nothing matches`} action={action} />
}

interface TrashHeadProps {
  list: List
  changes: Changes
  typed: string
  onType(words: string): void
}

/** The title of the page, the search field, the button that empties the trash, and actions for the selection. */
function TrashHead({ list, changes, typed, onType }: TrashHeadProps) {
  const { pages, selected } = list
  const field = useRef<HTMLInputElement>(null)
  useShortcut('search', () => field.current?.focus())
  const inTrash = useQuery(countsOptions).data?.trash ?? 0
  const { total = 0, atLeast = false } = pages.first ?? {}
  const empty = useEmptyTrash(list)
  return (
    <header className={classes.head}>
      <WhileServed>
        <Group justify="space-between" wrap="nowrap" gap="0.75rem" mih={40}>
          <Title order={1} size="h3">
            {t`Trash`}
          </Title>
          {inTrash > 0 && (
            <SearchField
              ref={field}
              label={t`Search the trash`}
              hint={t`Search the trash`}
              value={typed}
              onType={onType}
              onEnter={() => list.handle.current?.focus()}
            />
          )}
          {inTrash > 0 && (
            <Button variant="default" onClick={() => empty.ask(inTrash)} loading={empty.isPending}>
              {t`Empty trash`}
            </Button>
          )}
        </Group>
        {selected.size > 0 ? (
          <TrashBulkBar list={list} changes={changes} />
        ) : (
          <Group py={6} mih={44}>
            <Text size="sm" c="dimmed" role="status">
              {total > 0 &&
                `${atLeast ? t`More than ${plural(total, { one: '# bookmark', other: '# bookmarks' })}` : plural(total, { one: '# bookmark', other: '# bookmarks' })} · `}
              {t`What you delete stays here for ${TRASH_DAYS} days.`}
            </Text>
          </Group>
        )}
      </WhileServed>
    </header>
  )
}

/** Empties the trash after the owner has confirmed it. */
function useEmptyTrash(list: List) {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      longWork({
        what: t`Deleting bookmarks permanently …`,
        stoppable: true,
        begin: (name) => ask(api.trash.$delete({ query: { name } }))
      }),
    meta: { changes: ['bookmarks'] },
    onSuccess({ purged }) {
      notify(t`${plural(purged, { one: '# bookmark', other: '# bookmarks' })} deleted permanently.`)
      list.clearSelection()
    }
  })
  return {
    isPending,
    async ask(total: number) {
      const question = {
        title: t`Empty the trash?`,
        text: t`${plural(total, { one: '# bookmark', other: '# bookmarks' })} will be deleted permanently. This cannot be undone.`,
        action: t`Empty trash`
      }
      if (await confirm({ ...question, danger: true })) mutate()
    }
  }
}
