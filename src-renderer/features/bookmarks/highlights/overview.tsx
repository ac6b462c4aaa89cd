import { t } from '@lingui/core/macro'
import { Box, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'wouter'
import { HIGHLIGHT_COLORS } from '../../../../src-main/contract/bookmark.ts'
import { askHighlights, type ListedHighlight } from '../../../api/highlights.ts'
import { longDate } from '../../../lib/dates.ts'
import { siteLabel, titleOf } from '../../../lib/labels.ts'
import { OPENED_PARAM, READER_PARAM } from '../../../lib/opened.ts'
import { Page } from '../../../shared/page.tsx'
import { IconHighlight, IconSearch } from '../../../ui/icons/icons.ts'
import { Nothing, NotLoaded } from '../../../ui/placeholders.tsx'
import { ColorButtons, HighlightText } from './highlight-parts.tsx'
import classes from './highlights.module.css'

/** Pause in typing before highlights are searched, in ms. */
const PAUSE_MS = 150

/** All highlights, newest first. Each opens the reader at its position. */
export function Highlights() {
  const [search, setSearch] = useSearchParams()
  const words = search.get('words') ?? ''
  const color = HIGHLIGHT_COLORS.find((name) => name === search.get('color'))
  const [debouncedWords] = useDebouncedValue(words, PAUSE_MS)
  const query = useInfiniteQuery({
    queryKey: ['bookmarks', 'all-highlights', debouncedWords.trim(), color],
    queryFn: ({ pageParam, signal }) =>
      askHighlights({ words: debouncedWords.trim(), page: String(pageParam), color }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ page, hasMore }) => (hasMore ? page + 1 : undefined),
    placeholderData: keepPreviousData
  })
  const highlights = query.data?.pages.flatMap((page) => page.highlights) ?? []
  const isFiltered = words !== '' || color !== undefined

  useFocusOnReturn(query.data !== undefined)
  function filter(name: 'words' | 'color', value: string) {
    const next = new URLSearchParams(search)
    if (value === '') next.delete(name)
    else next.set(name, value)
    setSearch(next, { replace: true, state: history.state })
  }
  return (
    <Page title={t`Highlights`}>
      {(highlights.length > 0 || isFiltered) && (
        <Group mb="lg" gap="md">
          <TextInput
            type="search"
            flex="1 1 14rem"
            aria-label={t`Find in highlights`}
            placeholder={t`Find in highlights`}
            leftSection={<IconSearch size={16} />}
            value={words}
            onChange={(event) => filter('words', event.currentTarget.value)}
          />
          <ColorButtons chosen={color} onChoose={(chosen) => filter('color', chosen === color ? '' : chosen)} />
        </Group>
      )}
      <NotLoaded query={query} failed={t`The highlights could not be loaded.`} height={160} />
      {query.data && highlights.length === 0 && (
        <Nothing
          icon={<IconHighlight size={34} stroke={1.3} />}
          title={isFiltered ? t`Nothing matches` : t`No highlights yet`}
          text={isFiltered ? undefined : t`Open a bookmark’s text with Read, select some of it and choose a color.`}
          action={isFiltered ? { label: t`Clear filters`, run: () => setSearch({}, { replace: true }) } : undefined}
        />
      )}
      <Stack gap="lg">
        {groupHighlights(highlights).map((group) => (
          <BookmarkHighlights key={group[0].id} highlights={group} />
        ))}
      </Stack>
      {query.hasNextPage && (
        <Button variant="default" mt="lg" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t`Show more`}
        </Button>
      )}
    </Page>
  )
}

type HighlightGroup = [ListedHighlight, ...ListedHighlight[]]

/** Groups consecutive highlights of the same bookmark and the same day. */
function groupHighlights(all: ListedHighlight[]): HighlightGroup[] {
  const groups: HighlightGroup[] = []
  for (const highlight of all) {
    const group = groups.at(-1)
    if (group && keyOf(group[0]) === keyOf(highlight)) group.push(highlight)
    else groups.push([highlight])
  }
  return groups
}

const keyOf = ({ bookmark, createdAt }: ListedHighlight) => `${bookmark.id} ${longDate(createdAt)}`

function BookmarkHighlights({ highlights }: { highlights: HighlightGroup }) {
  const [{ id, bookmark, createdAt }] = highlights
  return (
    <Box component="section" aria-labelledby={`title-${id}`}>
      <Title order={2} size="h5" id={`title-${id}`} lineClamp={2} dir="auto">
        {titleOf({ ...bookmark, content: '' })}
      </Title>
      <Text size="xs" c="dimmed" mb={4}>
        {[siteLabel(bookmark), longDate(createdAt)].filter(Boolean).join(' · ')}
      </Text>
      {highlights.map((highlight) => (
        <Link
          key={highlight.id}
          id={`highlight-${highlight.id}`}
          className={classes.item ?? ''}
          href={addressOf(highlight)}
          // The reader goes back to this page when it closes.
          state={{ reading: true }}
          onClick={() => history.replaceState({ ...history.state, highlight: highlight.id }, '')}
        >
          <HighlightText highlight={highlight} />
        </Link>
      ))}
    </Box>
  )
}

/** Returns an address that opens the reader at a highlight, or the bookmark if no text is stored. */
function addressOf({ id, bookmark }: ListedHighlight): string {
  const params = new URLSearchParams({ [OPENED_PARAM]: bookmark.id })
  if (bookmark.hasText) params.set(READER_PARAM, id)
  return `/?${params}`
}

/** Gives the focus back to the highlight that was opened. */
function useFocusOnReturn(isLoaded: boolean): void {
  useEffect(() => {
    if (isLoaded) document.getElementById(`highlight-${history.state?.highlight}`)?.focus()
  }, [isLoaded])
}
