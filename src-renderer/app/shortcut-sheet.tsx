import { t } from '@lingui/core/macro'
import { Box, Group, Text, Title } from '@mantine/core'
import { keysOf, PLACES, SHORTCUTS } from '../lib/keyboard.ts'
import { i18n } from '../lib/locale.ts'
import { Dialog, type DialogState } from '../ui/form-modal.tsx'
import { Keys } from '../ui/keys.tsx'

export function ShortcutSheet(state: DialogState) {
  return (
    <Dialog {...state} title={t`Keyboard shortcuts`} size={880}>
      <Box style={{ columns: '22rem 2', columnGap: '2.5rem' }}>
        {groups().map(({ name, keys }) => (
          <Box component="section" key={name} mb="lg" style={{ breakInside: 'avoid' }}>
            <Title order={3} size="sm" mb={6}>
              {name}
            </Title>
            {keys.map(({ keys: pressed, does }) => (
              <Group key={does} justify="space-between" wrap="nowrap" py={3}>
                <Text size="sm">{does}</Text>
                <Group gap={4} wrap="nowrap">
                  <Keys keys={pressed} />
                </Group>
              </Group>
            ))}
          </Box>
        ))}
      </Box>
    </Dialog>
  )
}

function groups() {
  return [
    {
      name: t`Anywhere`,
      keys: Object.values(SHORTCUTS).map((shortcut) => ({ keys: keysOf(shortcut), does: i18n._(shortcut.does) }))
    },
    { name: t`Go to: G, then`, keys: PLACES.map(({ key, name }) => ({ keys: [key], does: i18n._(name) })) },
    {
      name: t`In a list`,
      keys: [
        { keys: ['↑', '↓'], does: t`Go to the previous or next bookmark; also K and J` },
        { keys: ['Enter'], does: t`Show and edit it` },
        { keys: ['O'], does: t`Open its page` },
        { keys: ['T'], does: t`Tag it, or all that is selected` },
        { keys: ['M'], does: t`Move it, or all that is selected` },
        { keys: ['X'], does: t`Select it; with Shift and arrows, a range` },
        { keys: ['Mod', 'A'], does: t`Select all` },
        { keys: ['F'], does: t`Add it to favorites, or remove it` },
        { keys: ['U'], does: t`Mark it as unread, or as read` },
        { keys: ['A'], does: t`Archive or unarchive` },
        { keys: ['C'], does: t`Copy its address, or all that is selected` },
        { keys: ['Delete'], does: t`Delete it, or all that is selected` },
        { keys: ['Esc'], does: t`Clear the selection, close the panel` }
      ]
    },
    {
      name: t`In the panel`,
      keys: [
        { keys: ['Mod', 'Enter'], does: t`Save now; otherwise it is saved a moment later` },
        { keys: ['Esc'], does: t`Close` }
      ]
    },
    {
      name: t`In a text`,
      keys: [
        { keys: ['Space'], does: t`Next page; with Shift, the previous one` },
        { keys: ['J', 'K'], does: t`Scroll a few lines down or up` },
        { keys: ['H'], does: t`Highlight what is selected` },
        { keys: ['A'], does: t`Archive and read on` },
        { keys: ['N'], does: t`Next text` },
        { keys: ['Mod', 'F'], does: t`Find in the text` },
        { keys: ['Esc'], does: t`Close` }
      ]
    }
  ]
}
