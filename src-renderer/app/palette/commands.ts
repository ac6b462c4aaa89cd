import { t } from '@lingui/core/macro'
import { keyTo } from '../../lib/keyboard.ts'
import type { Icon } from '../../ui/icons/icon.tsx'
import {
  IconArchive,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsExchange,
  IconBookmarks,
  IconBuilding,
  IconCopy,
  IconDeviceDesktop,
  IconFileImport,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconLink,
  IconLinkOff,
  IconLogout,
  IconMoon,
  IconPalette,
  IconPhoto,
  IconPlus,
  IconSettings,
  IconSun,
  IconTag,
  IconTextCaption,
  IconTrash,
  IconWand
} from '../../ui/icons/icons.ts'

export interface Command {
  name: string
  icon: Icon
  /** The keys that do the same, as `shortcuts` shows them. */
  keys?: string[] | undefined
  run(): void
}

export type Commands = Record<'go' | 'do', Command[]>

interface Can {
  go(path: string): void
  add(): void
  import(): void
  /** Makes a rule, of the search that is shown if there is one. */
  rule: { ofSearch: boolean; make(): void }
  checkLinks(): void
  undo(): void
  redo(): void
  shortcuts(): void
  backUp(): void
  logOut(): void
  theme(theme: 'light' | 'dark' | 'system'): void
}

/** Returns the palette's commands. */
export function commandsFor(can: Can): Commands {
  const { go, add, import: bringIn, rule, checkLinks, undo, redo, shortcuts, backUp, logOut, theme } = can
  const place = (name: string, icon: Icon, path: string) => {
    const key = keyTo(path)
    return { name, icon, keys: key === undefined ? undefined : ['G', key], run: () => go(path) }
  }
  return {
    go: [
      place(t`All`, IconBookmarks, '/'),
      place(t`Links`, IconLink, '/links'),
      place(t`Images`, IconPhoto, '/images'),
      place(t`Colors`, IconPalette, '/colors'),
      place(t`Texts`, IconTextCaption, '/texts'),
      place(t`Recently opened`, IconHistory, '/?opened=true'),
      place(t`Tags`, IconTag, '/tags'),
      place(t`Organizations`, IconBuilding, '/organizations'),
      place(t`Trash`, IconTrash, '/trash'),
      place(t`Broken links`, IconLinkOff, '/?is=broken'),
      place(t`Moved pages`, IconArrowsExchange, '/?is=moved'),
      place(t`API Keys`, IconKey, '/profile/api-keys'),
      place(t`Settings`, IconSettings, '/settings'),
      place(t`Rules`, IconWand, '/settings?part=rules')
    ],
    do: [
      { name: t`Add a bookmark`, icon: IconPlus, keys: ['N'], run: add },
      { name: t`Import bookmarks`, icon: IconFileImport, run: bringIn },
      { name: rule.ofSearch ? t`Make a rule from this search` : t`New rule`, icon: IconWand, run: rule.make },
      { name: t`Find duplicates`, icon: IconCopy, run: () => go('/duplicates') },
      { name: t`Check links`, icon: IconLinkOff, run: checkLinks },
      { name: t`Undo the last change`, icon: IconArrowBackUp, keys: ['Mod', 'Z'], run: undo },
      { name: t`Redo`, icon: IconArrowForwardUp, keys: ['Mod', 'Shift', 'Z'], run: redo },
      { name: t`Show keyboard shortcuts`, icon: IconKeyboard, keys: ['?'], run: shortcuts },
      { name: t`Back up now`, icon: IconArchive, run: backUp },
      { name: t`Log out`, icon: IconLogout, run: logOut },
      { name: t`Light theme`, icon: IconSun, run: () => theme('light') },
      { name: t`Dark theme`, icon: IconMoon, run: () => theme('dark') },
      { name: t`System theme`, icon: IconDeviceDesktop, run: () => theme('system') }
    ]
  }
}
