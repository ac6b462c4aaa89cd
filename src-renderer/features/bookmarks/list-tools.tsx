import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { ActionIcon, Button, Group, Menu, SegmentedControl, Select, Text, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, Suspense, useCallback, useEffect, useState } from 'react'
import type { BookmarksQuery } from '../../api/client.ts'
import { useSaveExport, useSearchChanges } from '../../api/mutations.ts'
import { searchesOptions, uncheckedOptions } from '../../api/queries.ts'
import { readText, setFilter, valuesOf } from '../../lib/filters.ts'
import { optionsOf } from '../../lib/labels.ts'
import { askName, startRule } from '../../shared/dialogs.ts'
import { offerCommands } from '../../shared/list-offers.ts'
import { IconDownload, IconLayoutGrid, IconLayoutList, IconList } from '../../ui/icons/icons.ts'
import { lazyWithPreload } from '../../ui/lazy-with-preload.tsx'
import type { Layout } from './list/bookmark-list.tsx'
import type { Pages } from './list/pages.ts'
import classes from './list-tools.module.css'
import { ruleOf } from './rules/rule-query.ts'
import { useChipLabels } from './search/chips.ts'
import { isFiltered, isShown, isVariant, orderOf, type View, viewAddress } from './search/view.ts'

interface ListToolsProps {
  /** The first page of the list, with the total and the hint. */
  first: Pages['first']
  view: View
  layout: Layout
  onLayout(layout: Layout): void
  onShow(view: View): void
  /** The query of an export of this list. */
  query: Omit<BookmarksQuery, 'page' | 'limit'>
}

/** The number of bookmarks, their order, their layout, and actions for the whole list. */
export const ListTools = memo(function ListTools(props: ListToolsProps) {
  const { first, view, layout, onLayout, query } = props
  const orders = useOrders(props)
  const unchecked =
    useQuery({
      ...uncheckedOptions,
      enabled: valuesOf(view.text, 'is').some((value) => value === 'broken' || value === 'moved')
    }).data?.unchecked ?? 0
  useCommands(props, orders)
  return (
    <Group justify="space-between" gap="sm" py={6} mih={44}>
      <Group gap="xs" flex="1 1 7rem">
        <Text size="sm" c="dimmed" role="status">
          {first &&
            (first.atLeast
              ? t`More than ${plural(first.total, { one: '# bookmark', other: '# bookmarks' })}`
              : plural(first.total, { one: '# bookmark', other: '# bookmarks' }))}
          {unchecked > 0 && ` · ${t`${plural(unchecked, { one: '# link', other: '# links' })} not checked yet`}`}
          {first && first.total > 0 && first.hint && !first.relaxed && ` · ${first.hint}`}
        </Text>
        <SaveSearch view={view} />
        <MakeRule view={view} />
      </Group>
      <Group gap="xs" wrap="nowrap" ms="auto" w={{ base: '100%', xs: 'auto' }}>
        <Select
          aria-label={t`Order`}
          size="xs"
          variant="unstyled"
          w={{ base: '9.5rem', xs: 164 }}
          me={{ base: 'auto', xs: 0 }}
          classNames={{ input: classes.order ?? '' }}
          allowDeselect={false}
          data={optionsOf(orders.names)}
          value={orders.current}
          onChange={(value) => value && orders.choose(value)}
        />
        <ExportMenu query={query} />
        <SegmentedControl
          aria-label={t`Layout`}
          size="xs"
          value={layout}
          onChange={(value) => onLayout(value as Layout)}
          data={[
            { value: 'list', label: iconLabel(t`List`, IconLayoutList) },
            { value: 'compact', label: iconLabel(t`Compact list`, IconList) },
            { value: 'grid', label: iconLabel(t`Grid`, IconLayoutGrid) }
          ]}
        />
      </Group>
    </Group>
  )
})

const ORDERS = {
  newest: msg`Newest first`,
  oldest: msg`Oldest first`,
  title: msg`By title`,
  site: msg`By site`,
  random: msg`Random`
}

const LAYOUTS = { list: msg`List`, compact: msg`Compact list`, grid: msg`Grid` }

const OPENED_ORDER = { opened: msg`Last opened first` }
const RANKED_ORDERS = { best: msg`Best matches first`, newest: ORDERS.newest, oldest: ORDERS.oldest }

interface Orders {
  names: Record<string, MessageDescriptor>
  current: string
  choose(name: string): void
}

/** The orders of the list. A search with words has other orders, and so has the list of opened bookmarks. */
function useOrders({ view, query, onShow }: ListToolsProps): Orders {
  const isRanked = query.words !== undefined
  const isOpened = !isRanked && query.opened !== undefined
  const typed = valuesOf(view.text, 'order')[0]?.toLowerCase()
  const chosen = typed ?? view.order?.replace(/:.*/, '')
  const names: Record<string, MessageDescriptor> = isRanked ? RANKED_ORDERS : isOpened ? OPENED_ORDER : ORDERS
  const [first = ''] = Object.keys(names)
  const current = chosen !== undefined && chosen in names ? chosen : first
  const choose = useCallback(
    (name: string) => onShow({ text: setFilter(view.text, 'order', undefined), order: orderOf(name) }),
    [view, onShow]
  )
  return { names, current, choose }
}

/** Offers other orders and layouts in the palette. */
function useCommands({ layout, onLayout }: ListToolsProps, { names, current, choose }: Orders): void {
  useEffect(() => {
    const others = (names: Record<string, MessageDescriptor>, current: string) =>
      optionsOf(names).filter(({ value }) => value !== current)
    return offerCommands('list', [
      ...others(names, current).map(({ value, label }) => ({
        name: t`Sort: ${label}`,
        keys: [],
        run: () => choose(value)
      })),
      ...others(LAYOUTS, layout).map(({ value, label }) => ({
        name: t`Show as: ${label}`,
        keys: [],
        run: () => onLayout(value as Layout)
      }))
    ])
  }, [names, current, choose, layout, onLayout])
}

function iconLabel(name: string, Icon: typeof IconList) {
  return (
    <>
      <Icon size={16} stroke={1.7} display="block" />
      <VisuallyHidden>{name}</VisuallyHidden>
    </>
  )
}

/** Loaded after the list, because the menu is closed at first. */
const ExportFormats = lazyWithPreload(() =>
  import('../../shared/export-formats.tsx').then((file) => file.ExportFormats)
)

/** Exports all pages of the list as a file. */
function ExportMenu({ query }: Pick<ListToolsProps, 'query'>) {
  const saving = useSaveExport()
  useEffect(() => void ExportFormats.load(), [])
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          aria-label={t`Export these bookmarks`}
          title={t`Export these bookmarks`}
        >
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Suspense>
          <ExportFormats>
            {({ id, name, drops }) => (
              <Menu.Item key={id} onClick={() => saving.mutate({ format: id, query })}>
                {name}
                <Text size="xs">{drops}</Text>
              </Menu.Item>
            )}
          </ExportFormats>
        </Suspense>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Maximum length of the suggested name, in UTF-16 code units. */
const MAX_NAME_LENGTH = 60

/** Saves a filtered list as a new saved search, or as a change of the one it was made from. */
function SaveSearch({ view }: { view: View }) {
  const { filters, rest } = readText(view.text)
  const labels = useChipLabels(filters.map(({ source }) => source))
  const saved = useQuery(searchesOptions).data
  const { save, update } = useSearchChanges()
  const [lastShown, setLastShown] = useState<string>()
  const shown = saved?.find(({ address }) => isShown(address, view))
  if (shown && shown.id !== lastShown) setLastShown(shown.id)
  if (!isFiltered(view) || !saved || shown) return null
  const former = saved.find(({ id, address }) => id === lastShown && isVariant(address, view))
  const words = [rest.trim(), ...labels].join(' ').trim()
  const onSave = () =>
    askName({
      title: t`Save this search`,
      action: t`Save`,
      name: words.slice(0, MAX_NAME_LENGTH),
      missing: t`A saved search needs a name.`,
      onSubmit: (name) => save.mutateAsync({ name, address: viewAddress(view) })
    })
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={onSave}>
        {t`Save search`}
      </Button>
      {former && (
        <Button
          size="compact-sm"
          variant="subtle"
          maw="16rem"
          onClick={() => update.mutate({ search: former, address: viewAddress(view) })}
        >
          <Text span inherit truncate>
            {t`Update “${former.name}”`}
          </Text>
        </Button>
      )}
    </>
  )
}

/** Makes a rule from a filtered list. A narrow window has no room for the button, but Settings has it too. */
function MakeRule({ view }: { view: View }) {
  const rule = ruleOf(view)
  if (!rule) return null
  return (
    <Button size="compact-sm" variant="subtle" visibleFrom="xs" onClick={() => startRule(rule)}>
      {t`Make a rule`}
    </Button>
  )
}
