import { ActionIcon, Group, Menu, SegmentedControl, Select, Text, VisuallyHidden } from '@mantine/core'
import { memo, useEffect } from 'react'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import type { BookmarksQuery } from '../../shared/bookmark-data.ts'
import { useUnchecked } from '../../shared/link-checks.ts'
import { listCommands } from '../../shared/list-commands.ts'
import { useSaveExport } from '../../shared/save-export.ts'
import { bookmarks as strings } from '../../strings/bookmarks.ts'
import { exports as formats } from '../../strings/exports.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { IconDownload, IconLayoutGrid, IconLayoutList, IconList } from '../../ui/icons/icons.ts'
import type { Layout } from './list/bookmark-list.tsx'
import type { Pages } from './list/use-pages.ts'
import classes from './list-tools.module.css'
import { MakeRule } from './rules/make-rule.tsx'
import { SaveSearch } from './search/save-search.tsx'
import { type Order, orderOf, type View } from './search/view.ts'

interface ListToolsProps {
  /** The first page: how many there are, and what else there is to say. */
  first: Pages['first']
  view: View
  layout: Layout
  onLayout(layout: Layout): void
  onOrder(order: Order): void
  /** The query of an export of this list. */
  query: Omit<BookmarksQuery, 'page' | 'limit'>
}

/** How many there are, in which order, and how they are laid out. */
export const ListTools = memo(function ListTools(props: ListToolsProps) {
  const { first, view, layout, onLayout, onOrder, query } = props
  const ranked = view.words.trim() !== ''
  const fixed = ranked || view.opened === true
  const unchecked = useUnchecked(view.is !== undefined) ?? 0
  useCommands(props, fixed)
  return (
    <Group justify="space-between" gap="sm" py={6} mih={44}>
      <Group gap="xs" flex="1 1 7rem">
        <Text size="sm" c="dimmed" role="status">
          {first && strings.total(first.total, first.atLeast)}
          {unchecked > 0 && ` · ${links.unchecked(unchecked)}`}
          {first && first.total > 0 && first.hint && !first.relaxed && ` · ${first.hint}`}
        </Text>
        <SaveSearch view={view} />
        <MakeRule view={view} />
      </Group>
      <Group gap="xs" wrap="nowrap" ms="auto" className={fixed ? undefined : classes.tools}>
        {fixed ? (
          <Text size="sm" c="dimmed" visibleFrom="md">
            {ranked ? strings.byRelevance : strings.lastOpenedFirst}
          </Text>
        ) : (
          <Select
            aria-label={strings.order}
            size="xs"
            variant="unstyled"
            className={classes.order ?? ''}
            allowDeselect={false}
            data={Object.entries(strings.orders).map(([value, label]) => ({ value, label }))}
            value={view.order.replace(/:.*/, '')}
            onChange={(value) => value && onOrder(orderOf(value))}
          />
        )}
        <ExportMenu query={query} />
        <SegmentedControl
          aria-label={strings.layout}
          size="xs"
          value={layout}
          onChange={(value) => onLayout(value as Layout)}
          data={[
            { value: 'list', label: named(strings.layouts.list, IconLayoutList) },
            { value: 'compact', label: named(strings.layouts.compact, IconList) },
            { value: 'grid', label: named(strings.layouts.grid, IconLayoutGrid) }
          ]}
        />
      </Group>
    </Group>
  )
})

/** Lets the palette do the same. */
function useCommands({ view, layout, onLayout, onOrder }: ListToolsProps, fixed: boolean): void {
  const { order } = view
  useEffect(() => {
    const others = (names: Record<string, string>, now: string) =>
      Object.entries(names).filter(([name]) => name !== now)
    listCommands.set([
      ...(fixed ? [] : others(strings.orders, order)).map(([name, label]) => ({
        name: strings.palette.order(label),
        keys: [],
        run: () => onOrder(orderOf(name))
      })),
      ...others(strings.layouts, layout).map(([name, label]) => ({
        name: strings.palette.layout(label),
        keys: [],
        run: () => onLayout(name as Layout)
      }))
    ])
    return () => listCommands.set([])
  }, [order, layout, onLayout, onOrder, fixed])
}

function named(name: string, Icon: typeof IconList) {
  return (
    <>
      <Icon size={16} stroke={1.7} display="block" />
      <VisuallyHidden>{name}</VisuallyHidden>
    </>
  )
}

/** Saves what the list shows, all pages of it, as a file of any format. */
function ExportMenu({ query }: Pick<ListToolsProps, 'query'>) {
  const saving = useSaveExport()
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="md" aria-label={formats.title} title={formats.title}>
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(formats.formats).map(([id, { name, drops }]) => (
          <Menu.Item key={id} onClick={() => saving.mutate({ format: id as ExportFormatId, query })}>
            {name}
            <Text size="xs">{drops}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
