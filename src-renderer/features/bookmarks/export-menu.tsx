import { ActionIcon, Menu, Text } from '@mantine/core'
import type { ExportFormatId } from '../../../src-main/contract/library-export.ts'
import type { BookmarksQuery } from '../../shared/bookmark-data.ts'
import { useSaveExport } from '../../shared/save-export.ts'
import { exports as strings } from '../../strings/exports.ts'
import { IconDownload } from '../../ui/icons/icons.ts'

/** Saves what the list shows, all pages of it, as a file of any format. */
export function ExportMenu({ query }: { query: Omit<BookmarksQuery, 'page' | 'limit'> }) {
  const saving = useSaveExport()
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="md" aria-label={strings.title} title={strings.title}>
          <IconDownload size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(strings.formats).map(([id, { name, drops }]) => (
          <Menu.Item key={id} onClick={() => saving.mutate({ format: id as ExportFormatId, query })}>
            {name}
            <Text size="xs">{drops}</Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
