import { t } from '@lingui/core/macro'
import { useLocation, useSearch } from 'wouter'
import { useChangeSettings, useCopyReport } from '../../api/mutations.ts'
import { redoLatest, undoLatest } from '../../api/undo.ts'
import { ruleOf } from '../../features/bookmarks/rules/rule-query.ts'
import { viewOf } from '../../features/bookmarks/search/view.ts'
import { useBackUp } from '../../features/settings/backup-section.tsx'
import { useCheckAllLinks } from '../../features/settings/link-section.tsx'
import { keysOf, PLACES, SHORTCUTS } from '../../lib/keyboard.ts'
import { i18n } from '../../lib/locale.ts'
import { useStore } from '../../lib/store.ts'
import { openDialog, startAdding, startImporting, startRule } from '../../shared/dialogs.ts'
import { listCommands } from '../../shared/list-offers.ts'
import {
  IconAdjustmentsHorizontal,
  IconArchive,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsExchange,
  IconBookmarks,
  IconBuilding,
  IconClipboardText,
  IconCopy,
  IconDeviceDesktop,
  IconFileImport,
  IconHighlight,
  IconHistory,
  IconKey,
  IconKeyboard,
  IconLink,
  IconLinkOff,
  IconListCheck,
  IconLogout,
  IconMoon,
  IconPalette,
  IconPhoto,
  IconPlus,
  IconRefresh,
  IconRestore,
  IconSettings,
  IconSun,
  IconTag,
  IconTextCaption,
  IconTrash,
  IconWand
} from '../../ui/icons/icons.ts'
import { notifyError } from '../../ui/notify.tsx'
import { useLogOut } from '../session.tsx'
import type { PaletteContent, PaletteRow } from './palette-rows.ts'

/** The palette's commands: those of the whole window, and those that the list behind it offers. */
export function useCommands(): PaletteContent['commands'] {
  const [path, go] = useLocation()
  const view = viewOf(path, useSearch())
  const rule = view && ruleOf(view)
  const { checkAll } = useCheckAllLinks()
  const settings = useChangeSettings()
  const backUp = useBackUp()
  const copying = useCopyReport()
  const logOut = useLogOut()
  const offered = useStore(listCommands)

  const places = PLACES.map(({ key, path, name }) => {
    return { name: i18n._(name), icon: PLACE_ICONS[key], keys: ['G', key], run: () => go(path) }
  })
  const more: PaletteRow[] = [
    { name: t`Broken links`, icon: IconLinkOff, run: () => go('/?q=is:broken') },
    { name: t`Moved pages`, icon: IconArrowsExchange, run: () => go('/?q=is:moved') },
    { name: t`Sync`, also: t`several machines`, icon: IconRefresh, run: () => go('/settings?part=machines') },
    { name: t`Backups and restore`, also: t`backup`, icon: IconRestore, run: () => go('/settings?part=import') },
    { name: t`Rules`, icon: IconWand, run: () => go('/settings?part=rules') }
  ]
  const actions: PaletteRow[] = [
    { name: t`Add a bookmark`, icon: IconPlus, keys: keysOf(SHORTCUTS.add), run: () => startAdding() },
    { name: t`Import bookmarks`, icon: IconFileImport, run: () => startImporting() },
    {
      name: rule ? t`Make a rule from this search` : t`New rule`,
      icon: IconWand,
      run: () => startRule(rule ?? { query: '' })
    },
    { name: t`Find duplicates`, icon: IconCopy, run: () => go('/duplicates') },
    { name: t`Check all links`, icon: IconLinkOff, run: () => void checkAll().catch(notifyError) },
    { name: t`Undo the last change`, icon: IconArrowBackUp, keys: keysOf(SHORTCUTS.undo), run: undoLatest },
    { name: t`Redo`, icon: IconArrowForwardUp, keys: keysOf(SHORTCUTS.redo), run: redoLatest },
    {
      name: t`Show keyboard shortcuts`,
      icon: IconKeyboard,
      keys: keysOf(SHORTCUTS.help),
      run: () => openDialog({ kind: 'shortcuts' })
    },
    { name: t`Copy report`, icon: IconClipboardText, run: () => copying.mutate() },
    { name: t`Back up now`, also: t`backup`, icon: IconArchive, run: () => backUp.mutate() },
    { name: t`Log out`, icon: IconLogout, run: logOut },
    { name: t`Light theme`, icon: IconSun, run: () => settings.mutate({ theme: 'light' }) },
    { name: t`Dark theme`, icon: IconMoon, run: () => settings.mutate({ theme: 'dark' }) },
    { name: t`System theme`, icon: IconDeviceDesktop, run: () => settings.mutate({ theme: 'system' }) }
  ]
  return {
    go: [...places, ...more],
    do: actions,
    selection: offered.selection.map((command) => ({ ...command, icon: IconListCheck })),
    list: offered.list.map((command) => ({ ...command, icon: IconAdjustmentsHorizontal }))
  }
}

/** The icons of places, by their keys. */
const PLACE_ICONS: Record<string, PaletteRow['icon']> = {
  A: IconBookmarks,
  L: IconLink,
  I: IconPhoto,
  C: IconPalette,
  X: IconTextCaption,
  R: IconHistory,
  H: IconHighlight,
  T: IconTag,
  O: IconBuilding,
  D: IconTrash,
  K: IconKey,
  S: IconSettings
}
