import { bookmarks } from '../../strings/bookmarks.ts'
import { linkChecks as links } from '../../strings/links.ts'
import { palette as strings } from '../../strings/palette.ts'
import { rules } from '../../strings/rules.ts'
import { settings } from '../../strings/settings.ts'
import { shell } from '../../strings/shell.ts'
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
import { keyTo } from '../go-keys.ts'

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
      place(shell.all, IconBookmarks, '/'),
      place(shell.links, IconLink, '/links'),
      place(shell.images, IconPhoto, '/images'),
      place(shell.colors, IconPalette, '/colors'),
      place(shell.texts, IconTextCaption, '/texts'),
      place(bookmarks.opened, IconHistory, '/?opened=true'),
      place(shell.tags, IconTag, '/tags'),
      place(shell.organizations, IconBuilding, '/organizations'),
      place(shell.trash, IconTrash, '/trash'),
      place(links.places.broken, IconLinkOff, '/?is=broken'),
      place(links.places.moved, IconArrowsExchange, '/?is=moved'),
      place(shell.keys, IconKey, '/profile/api-keys'),
      place(shell.settings, IconSettings, '/settings'),
      place(rules.title, IconWand, '/settings?part=rules')
    ],
    do: [
      { name: strings.add, icon: IconPlus, keys: ['N'], run: add },
      { name: strings.import, icon: IconFileImport, run: bringIn },
      { name: rule.ofSearch ? rules.ofSearch : rules.make, icon: IconWand, run: rule.make },
      { name: strings.duplicates, icon: IconCopy, run: () => go('/duplicates') },
      { name: links.check, icon: IconLinkOff, run: checkLinks },
      { name: strings.undo, icon: IconArrowBackUp, keys: ['Mod', 'Z'], run: undo },
      { name: strings.redo, icon: IconArrowForwardUp, keys: ['Mod', 'Shift', 'Z'], run: redo },
      { name: strings.shortcuts, icon: IconKeyboard, keys: ['?'], run: shortcuts },
      { name: settings.backUp, icon: IconArchive, run: backUp },
      { name: shell.logOut, icon: IconLogout, run: logOut },
      { name: strings.light, icon: IconSun, run: () => theme('light') },
      { name: strings.dark, icon: IconMoon, run: () => theme('dark') },
      { name: strings.system, icon: IconDeviceDesktop, run: () => theme('system') }
    ]
  }
}
